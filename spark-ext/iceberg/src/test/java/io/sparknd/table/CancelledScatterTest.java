/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.TaskCompletionListener;
import org.junit.jupiter.api.Test;

/** Tests that tasks of a cancelled scatter end soon, and what is left of it. */
class CancelledScatterTest {
  private static final String GROUP = "cancelled scatter";

  private final SparkSession spark = HookedLake.spark();
  private final SparkContext context = spark.sparkContext();

  /** Counts the files that tasks use. From some file on, tasks wait until they were killed. */
  private static final class UntilKilled {
    private final AtomicInteger files = new AtomicInteger();
    private final Map<Long, Integer> filesOfTasks = new ConcurrentHashMap<>();
    private final int first;
    private final CountDownLatch begun;
    private final CountDownLatch ended;

    /**
     * @param first number of the first file of a task that waits
     */
    UntilKilled(int tasks, int first) {
      this.first = first;
      this.begun = new CountDownLatch(tasks);
      this.ended = new CountDownLatch(tasks);
    }

    /** Counts files at a step of their use until the result is closed. */
    AutoCloseable at(Step counted) {
      return HookedIO.with(
          (step, path, bytes) -> {
            if (step == counted) {
              use(path);
            }
          });
    }

    private void use(String path) {
      TaskContext task = TaskContext.get();
      if (task == null || !path.endsWith(".parquet")) {
        return;
      }
      files.incrementAndGet();
      int file = filesOfTasks.merge(task.taskAttemptId(), 1, Integer::sum);
      if (file == first) {
        task.addTaskCompletionListener((TaskCompletionListener) done -> ended.countDown());
        begun.countDown();
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (file >= first && !task.isInterrupted() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
  }

  /** Cancels the jobs of {@code scatter} once all tasks use a file, and waits for the tasks. */
  private void cancel(Runnable scatter, UntilKilled waiting) throws Exception {
    assertThatThrownBy(ended(scatter, waiting, thread -> context.cancelJobGroup(GROUP))::join)
        .hasStackTraceContaining("cancelled");
    assertThat(waiting.ended.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private CompletableFuture<Void> ended(Runnable scatter, UntilKilled waiting, Consumer<Thread> end)
      throws Exception {
    AtomicReference<Thread> caller = new AtomicReference<>();
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              caller.set(Thread.currentThread());
              context.setJobGroup(GROUP, "", false);
              scatter.run();
            },
            work -> new Thread(work).start());
    assertThat(waiting.begun.await(60, TimeUnit.SECONDS)).isTrue();
    end.accept(caller.get());
    return running;
  }

  private static List<String> dataFiles(Table table) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(table.location().replace("file:", "")))) {
      return files.map(Path::toString).filter(file -> file.endsWith(".parquet")).toList();
    }
  }

  /** Two tasks have three blocks. */
  @Test
  void tasksWriteNoOtherBlockAndLeaveNoFile() throws Exception {
    TensorTable table = HookedLake.create();
    UntilKilled waiting = new UntilKilled(2, 1);
    try (AutoCloseable hooked = waiting.at(Step.CREATE)) {
      cancel(() -> table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS), waiting);
    }
    assertThat(waiting.files).hasValue(2);
    assertThat(dataFiles(table.iceberg())).isEmpty();
  }

  @Test
  void tasksOfAnInterruptedScatterLeaveNoFile() throws Exception {
    TensorTable table = HookedLake.create();
    UntilKilled waiting = new UntilKilled(2, 1);
    try (AutoCloseable hooked = waiting.at(Step.CREATE)) {
      Runnable scatter = () -> table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
      assertThatThrownBy(ended(scatter, waiting, Thread::interrupt)::join)
          .hasStackTraceContaining("InterruptedException");
      assertThat(waiting.ended.await(30, TimeUnit.SECONDS)).isTrue(); // tasks wait for 60
    }
    assertThat(waiting.files).hasValue(2);
    assertThat(dataFiles(table.iceberg())).isEmpty();
  }

  /** The rows of the block are read by then. */
  @Test
  void theLastBlockOfAFeatureTableLeavesNoFile() throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            HookedLake.name(),
            FeatureTableSpec.keyedBy("user", "string").with(Variable.of("views", "bigint")));
    UntilKilled waiting = new UntilKilled(1, 1);
    try (AutoCloseable hooked = waiting.at(Step.CREATE)) {
      cancel(() -> table.scatter(spark.sql("SELECT 'u' AS user, 1L AS views")), waiting);
    }
    assertThat(waiting.files).hasValue(1);
    assertThat(dataFiles(table.iceberg())).isEmpty();
  }

  /** A task compares blocks before and after the commit of another writer: two files each. */
  @Test
  void tasksCompareNoOtherBlock() throws Exception {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    UntilKilled waiting = new UntilKilled(2, 2);
    AtomicBoolean raced = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".avro") && !raced.getAndSet(true)) {
            HookedLake.elsewhere(
                () ->
                    TensorTable.open(spark, table.name())
                        .scatter(Scatter.add(), updates(0, ROWS, 5), COLUMNS));
            HookedIO.whenReading(waiting::use);
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook);
        AutoCloseable reading = HookedIO.whenReading(path -> {})) {
      cancel(
          () ->
              table
                  .write()
                  .scatter(Scatter.update(), updates(0, ROWS, 2), COLUMNS)
                  .ifChanged(IfChanged.FAIL)
                  .commit(),
          waiting);
    }
    assertThat(waiting.files).hasValue(4);
  }

  /** Clients of object stores leave a thread interrupted. */
  @Test
  void aFailureInAnInterruptedThreadIsReported() throws Exception {
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            TensorSpec.of(DType.INT64, Shape.of(1000)).withRowsPerBlock(1000));
    table.scatter(Scatter.add(), updates(0, 1000, 1), COLUMNS);
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".puffin") && TaskContext.get() == null) {
            Thread.currentThread().interrupt();
            throw new IOException("the store is busy");
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      assertThatThrownBy(() -> table.scatter(Scatter.add(), updates(0, 10, 1), COLUMNS))
          .isInstanceOf(SparkNdException.class)
          .hasStackTraceContaining("the store is busy");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
