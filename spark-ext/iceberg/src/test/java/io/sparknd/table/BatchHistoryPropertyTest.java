/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Scatter;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests random histories of a table against a model. Batch {@code b} adds one to row {@code b}, and
 * the model records the batches of each snapshot.
 */
@Tag("slow")
class BatchHistoryPropertyTest {
  private static final int BATCHES = 40;
  private static final int STEPS = 30;
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  private final Map<Long, Set<Integer>> states = new HashMap<>();
  private final Map<Long, Integer> batches = new HashMap<>();
  private final List<String> tags = new ArrayList<>();
  private final List<String> branches = new ArrayList<>();
  private final StringBuilder log = new StringBuilder();
  private TensorTable table;
  private Random random;

  /** Seeds that are the same in each run, and others. */
  static LongStream seeds() {
    return LongStream.concat(LongStream.rangeClosed(1, 4), new Random().longs(4));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyBatchIsAppliedExactlyOnce(long seed) {
    random = new Random(seed);
    table =
        TensorTable.create(
            HookedLake.spark(),
            HookedLake.name(),
            TensorSpec.of(DType.INT64, Shape.of(BATCHES)).withRowsPerBlock(1));
    send(random.nextInt(BATCHES));
    for (int step = 0; step < STEPS; step++) {
      iceberg().refresh();
      step();
      assertThat(rows()).as(log.toString()).isEqualTo(state());
    }
    new ArrayList<>(batches.values()).stream().distinct().limit(10).forEach(this::send);
    assertThat(rows()).as(log.toString()).isEqualTo(state());
  }

  private void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> send(random.nextInt(BATCHES));
      case 3, 4 -> send(anyKnown());
      case 5 -> tag();
      case 6 -> branch();
      case 7 -> goTo(any(snapshots()));
      case 8 -> fastForward();
      case 9 -> cherryPick();
      default -> expire();
    }
  }

  private int anyKnown() {
    return any(batches.values().stream().sorted().toList());
  }

  private void send(int batch) {
    Set<Integer> before = state();
    log.append(" send ").append(batch);
    TableCommit commit =
        table
            .write()
            .scatter(Scatter.add(), HookedLake.updates(batch, batch + 1, 1), COLUMNS)
            .batchId("b" + batch)
            .commit();
    assertThat(commit.outcome())
        .as(log.toString())
        .isEqualTo(before.contains(batch) ? Outcome.REPLAYED : Outcome.COMMITTED);
    iceberg().refresh();
    if (commit.outcome() == Outcome.COMMITTED) {
      holds(before, batch);
    }
  }

  /** Records that the current snapshot has one batch more than another. */
  private void holds(Set<Integer> before, int batch) {
    Set<Integer> after = new HashSet<>(before);
    after.add(batch);
    states.put(current().snapshotId(), after);
    batches.put(current().snapshotId(), batch);
  }

  private void tag() {
    if (!tags.isEmpty() && random.nextBoolean()) {
      String gone = tags.remove(random.nextInt(tags.size()));
      log.append(" untag ").append(gone);
      iceberg().manageSnapshots().removeTag(gone).commit();
      return;
    }
    String tag = "tag" + log.length();
    log.append(' ').append(tag);
    iceberg().manageSnapshots().createTag(tag, any(snapshots())).commit();
    tags.add(tag);
  }

  private void branch() {
    String branch = "branch" + log.length();
    log.append(' ').append(branch);
    iceberg().manageSnapshots().createBranch(branch, any(snapshots())).commit();
    branches.add(branch);
  }

  private void goTo(long snapshot) {
    log.append(" go to ").append(batches.get(snapshot));
    iceberg().manageSnapshots().setCurrentSnapshot(snapshot).commit();
  }

  private void fastForward() {
    for (String branch : branches) {
      try {
        iceberg().manageSnapshots().fastForwardBranch("main", branch).commit();
        log.append(" forward to ").append(branch);
        return;
      } catch (IllegalArgumentException notAhead) {
        // try another snapshot
      }
    }
  }

  private void cherryPick() {
    for (Snapshot picked : iceberg().snapshots()) {
      int batch = batches.get(picked.snapshotId());
      if (picked.operation().equals(DataOperations.APPEND) && !state().contains(batch)) {
        log.append(" pick ").append(batch);
        Set<Integer> before = state();
        iceberg().manageSnapshots().cherrypick(picked.snapshotId()).commit();
        iceberg().refresh();
        holds(before, batch);
        return;
      }
    }
  }

  private void expire() {
    log.append(" expire");
    table.expire(NOTHING);
    iceberg().refresh();
  }

  private Set<Integer> rows() {
    Map<Integer, Long> values = new HashMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      values.merge((int) row.getLong(0), row.getLong(1), Long::sum);
    }
    assertThat(values.values()).as(log.toString()).allMatch(value -> value == 1);
    return values.keySet();
  }

  private Set<Integer> state() {
    return current() == null ? Set.of() : states.get(current().snapshotId());
  }

  private List<Long> snapshots() {
    return StreamSupport.stream(iceberg().snapshots().spliterator(), false)
        .map(Snapshot::snapshotId)
        .sorted((a, b) -> Integer.compare(batches.get(a), batches.get(b)))
        .collect(Collectors.toList());
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private Snapshot current() {
    return iceberg().currentSnapshot();
  }

  private Table iceberg() {
    return table.iceberg();
  }
}
