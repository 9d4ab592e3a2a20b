/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.options.Retention;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests a process that stops between any two steps. From some step on, no write reaches the disk,
 * which is the state that a killed process leaves.
 */
class TableCrashTest {
  private static final Retention ALL = Retention.of(Duration.ZERO);

  private TensorTable table;
  private long[] holds;

  private int undone;

  private interface Work {
    /** Runs the work and returns the tensor after it. */
    long[] run();
  }

  @Test
  @Tag("slow")
  void scatterStoppedAtAnyStepLeavesTheOldOrTheNewTable() throws Exception {
    stopAtSteps(this::scatter, 100);
    assertThat(undone).isPositive();
  }

  @Test
  @Tag("slow")
  void compactionStoppedAtAnyStepLeavesTheOldOrTheNewTable() throws Exception {
    stopAtSteps(this::compact, 0);
  }

  @Test
  @Tag("slow")
  void expiryStoppedAtAnyStepKeepsTheTensor() throws Exception {
    stopAtSteps(this::expire, 0);
  }

  private long[] scatter() {
    long[] after = plus(holds, 3, 18, 100);
    table.scatter(Scatter.add(), updates(3, 18, 100), COLUMNS);
    return after;
  }

  private long[] compact() {
    table.compact();
    return holds;
  }

  private long[] expire() {
    table.expire(ALL);
    return holds;
  }

  /**
   * Repeats {@code work}, which adds {@code value} to the rows of {@link #scatter}, stopped at
   * every step, until it completes.
   */
  private void stopAtSteps(Work work, long value) throws Exception {
    makeTable();
    undone = 0;
    int step = 1;
    while (!isThrough(work, value, step)) {
      step++;
      assertThat(step).isLessThan(1000);
    }
    assertThat(step).isGreaterThan(5);
    table.expire(ALL);
    table.removeOrphans(Duration.ZERO);
    HookedLake.assertNoOrphans(table);
    assertThat(read(table)).isEqualTo(holds);
  }

  /**
   * Whether {@code work} has fewer than {@code steps} steps. Otherwise it is stopped at that step.
   * Work that returns is in the table; work that fails is there as a whole or not at all.
   */
  private boolean isThrough(Work work, long value, int steps) throws Exception {
    addTo(0, 2); // gives the work something to do; the table takes it after the last stop
    AtomicInteger left = new AtomicInteger(steps);
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (left.decrementAndGet() <= 0) {
            throw new IOException("stopped at step " + steps);
          }
        };
    long[] before = holds;
    long[] after = plus(holds, 3, 18, value);
    boolean isThrough = false;
    boolean isAcknowledged = false;
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      holds = work.run();
      isAcknowledged = true;
      isThrough = left.get() > 0;
    } catch (RuntimeException stopped) {
      assertThat(left.get()).as("%s", stopped).isLessThanOrEqualTo(0);
    }
    long[] found = read(TensorTable.open(HookedLake.spark(), table.name()));
    if (isAcknowledged) {
      assertThat(found).as("after step %d", steps).isEqualTo(holds).isEqualTo(after);
    } else {
      assertThat(found).as("step %d", steps).isIn(before, after);
      undone += Arrays.equals(found, after) ? 0 : 1;
    }
    holds = found;
    return isThrough;
  }

  @Tag("slow")
  @Test
  void aFullDiskLeavesTheOldTable() throws Exception {
    makeTable();
    long[] before = holds;
    for (long room : new long[] {0, 400, 1500, 3000, 7000}) {
      AtomicLong left = new AtomicLong(room);
      HookedIO.Hook hook =
          (step, path, bytes) -> {
            if (step == Step.WRITE && left.addAndGet(-bytes) < 0) {
              throw new IOException("No space left on device");
            }
          };
      try (AutoCloseable hooked = HookedIO.with(hook)) {
        assertThatThrownBy(this::scatter)
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("No space left on device");
      }
      assertThat(read(table)).as("room for %d bytes", room).isEqualTo(before);
    }
    holds = scatter();
    assertThat(read(table)).isEqualTo(holds);
    table.expire(ALL);
    table.removeOrphans(Duration.ZERO);
    HookedLake.assertNoOrphans(table);
  }

  private void makeTable() {
    table = HookedLake.create();
    holds = new long[ROWS];
    addTo(0, ROWS);
  }

  private void addTo(int from, int to) {
    table.scatter(Scatter.add(), updates(from, to, 1), COLUMNS);
    holds = plus(holds, from, to, 1);
  }
}
