/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that jobs which fail in user code leave nothing behind. */
class FailedJobTest {
  private static final String GROUP = "saved";
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  private final SparkSession spark = LocalSpark.session();

  @TempDir Path folder;

  private Dataset<Row> failing() {
    return spark.sql(
        "SELECT id, if(id < 3, 1.0D, double(raise_error('spoilt'))) AS value FROM range(4)");
  }

  private Set<Integer> kept() {
    return Set.copyOf(
        scala.jdk.javaapi.CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs())
            .keySet()
            .stream()
            .map(id -> (Integer) id)
            .toList());
  }

  @Test
  void failedScatterLeavesNoCachedRdd() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Set<Integer> before = kept();
      assertThatThrownBy(() -> zeros.scatter(Scatter.add(), failing(), COLUMNS))
          .hasMessageContaining("spoilt");
      assertThat(kept()).isSubsetOf(before);
    }
  }

  @Test
  void failedReadOfATableLeavesNoCachedRdd() {
    Set<Integer> before = kept();
    assertThatThrownBy(
            () ->
                DistributedTensor.fromDataset(
                    failing(), COLUMNS, DType.FLOAT64, Shape.of(4), Partitioning.AUTO))
        .hasMessageContaining("spoilt");
    assertThat(kept()).isSubsetOf(before);
  }

  @Test
  void failedGatherReportsTheCause() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Dataset<Row> indices = failing().selectExpr("bigint(value) AS id");
      assertThatThrownBy(() -> zeros.gather(Gather.strict(), indices, List.of("id")).count())
          .hasMessageContaining("spoilt");
    }
  }

  @Test
  void failedGatherLeavesNoCachedRdd() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Set<Integer> before = kept();
      Dataset<Row> indices = failing().selectExpr("bigint(value) AS id");
      for (GatherStrategy strategy : GatherStrategy.values()) {
        DistributedTensor tensor = zeros.withStrategy(strategy);
        assertThatThrownBy(() -> tensor.gather(Gather.strict(), indices, List.of("id")).count())
            .hasMessageContaining("spoilt");
        assertThat(kept()).as("%s", strategy).isSubsetOf(before);
      }
    }
  }

  /** The tensors are not sorted, so they are shuffled and cached before the indices are read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gather_nd(TABLE(SELECT id, 1.0D AS value FROM range(4) ORDER BY rand(1)),"
            + " TABLE(SELECT id * 9 AS id FROM range(2)), array(4))",
        "tensor_scatter_nd_update(TABLE(SELECT id, 1.0D AS value FROM range(4) ORDER BY rand(1)),"
            + " TABLE(SELECT id * 9 AS id, 2.0D AS value FROM range(2)), array(4))"
      })
  void failedQueryLeavesNoCachedRdd(String call) {
    Set<Integer> before = kept();
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call).collectAsList())
        .hasMessageContaining("[9] is out of bounds");
    assertThat(kept()).isSubsetOf(before);
  }

  @Test
  void failedSaveLeavesNoDirectory() throws IOException {
    Path file = folder.resolve("tensor.npy");
    Npy.write(Tensor.of(Shape.of(4), 1.0, 2.0, 3.0, 4.0), file);
    Path target = folder.resolve("saved");
    try (DistributedTensor tensor =
        DistributedTensor.fromNpy(spark, file.toString(), Partitioning.of(2))) {
      Files.delete(file);
      assertThatThrownBy(() -> tensor.save(target.toString()))
          .hasStackTraceContaining("tensor.npy");
    }
    assertThat(target).doesNotExist();
  }

  @Test
  void cancelledSaveLeavesNoFiles() throws Exception {
    assertStoppedSaveCanBeRepeated(saver -> spark.sparkContext().cancelJobGroup(GROUP));
  }

  @Test
  void interruptedSaveLeavesNoFiles() throws Exception {
    assertStoppedSaveCanBeRepeated(Thread::interrupt);
  }

  /** Stops a save while its first tasks are at the end of their files, and the others wait. */
  private void assertStoppedSaveCanBeRepeated(Consumer<Thread> stop) throws Exception {
    Path target = folder.resolve("saved");
    spark.sparkContext().hadoopConfiguration().set("fs.store.impl", ObjectStore.class.getName());
    try (DistributedTensor tensor =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(4))) {
      ObjectStore.AT_END.drainPermits();
      ObjectStore.CLOSING.drainPermits();
      FutureTask<Void> save =
          new FutureTask<>(
              () -> {
                spark.sparkContext().setJobGroup(GROUP, "a save", false);
                tensor.save("store://" + target);
                return null;
              });
      Thread saver = new Thread(save);
      saver.start();
      try {
        assertThat(ObjectStore.AT_END.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
        stop.accept(saver);
        assertThatThrownBy(() -> save.get(60, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class);
        await(() -> spark.sparkContext().statusTracker().getActiveJobIds().length == 0);
      } finally {
        ObjectStore.CLOSING.release(100);
      }
      await(() -> runningTasks() == 0);
      assertThat(target.toFile().list()).isNullOrEmpty();
      tensor.save(target.toString());
    } finally {
      spark.sparkContext().hadoopConfiguration().unset("fs.store.impl");
    }
  }

  private int runningTasks() {
    TaskSchedulerImpl scheduler = (TaskSchedulerImpl) spark.sparkContext().taskScheduler();
    return scala.jdk.javaapi.CollectionConverters.asJava(scheduler.runningTasksByExecutors())
        .values()
        .stream()
        .mapToInt(tasks -> (Integer) tasks)
        .sum();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
      Thread.sleep(100);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  /** An object store, where a file appears when its stream is closed. */
  public static final class ObjectStore extends RawLocalFileSystem {
    private static final Semaphore AT_END = new Semaphore(0);
    private static final Semaphore CLOSING = new Semaphore(0);

    @Override
    public URI getUri() {
      return URI.create("store:///");
    }

    @Override
    public FSDataOutputStream create(
        org.apache.hadoop.fs.Path file,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      OutputStream content =
          new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
              if (file.getName().startsWith("part-")) {
                AT_END.release();
                CLOSING.acquireUninterruptibly();
              }
              try (OutputStream out =
                  ObjectStore.super.create(
                      file, overwrite, bufferSize, replication, blockSize, progress)) {
                writeTo(out);
              }
            }
          };
      return new FSDataOutputStream(content, null);
    }
  }
}
