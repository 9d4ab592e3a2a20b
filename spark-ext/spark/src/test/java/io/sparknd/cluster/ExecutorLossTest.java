/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.BlockManagerMaster;
import org.apache.spark.storage.RDDBlockId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a lost executor does not change the bits of results. */
@Tag("slow")
class ExecutorLossTest {
  private static final int PARTITIONS = 24;
  private static final Shape TABLE = Shape.of(40_000, 16);
  private static final int ROWS = 200_000;

  @Test
  void anExecutorKilledInAScatterChangesNoBit() throws Exception {
    List<Tensor> expected = new ArrayList<>(List.of(random(TABLE, 0)));
    try (LocalCluster cluster = LocalCluster.start()) {
      Killer killer = new Killer(cluster.processes());
      cluster.session().sparkContext().addSparkListener(killer);
      List<DistributedTensor> versions = new ArrayList<>();
      versions.add(
          DistributedTensor.of(cluster.session(), expected.get(0), Partitioning.of(PARTITIONS)));
      for (int step = 0; step < 4; step++) {
        ScatterCall call = call(step);
        expected.add(Kernels.auto().scatter(expected.get(step), call));
        killer.armed = step == 2;
        versions.add(versions.get(step).scatter(call));
      }
      assertThat(killer.removed).hasValue(1);
      assertThat(killer.failedTasks).hasPositiveValue();
      for (int step = 0; step < versions.size(); step++) {
        TensorAssert.assertSameBits(versions.get(step).collect(), expected.get(step));
      }
    }
  }

  /**
   * A loop that closes each version can recompute lost partitions from the last cut of the lineage,
   * whose version is closed as well.
   */
  @Test
  void loopThatClosesVersionsSurvivesAnExecutorLoss() throws Exception {
    Tensor expected = Tensor.zeros(DType.FLOAT32, Shape.of(1000, 4));
    try (LocalCluster cluster = LocalCluster.start()) {
      Killer killer = new Killer(cluster.processes());
      cluster.session().sparkContext().addSparkListener(killer);
      DistributedTensor tensor =
          DistributedTensor.of(cluster.session(), expected, Partitioning.of(4));
      for (int step = 0; step < 45; step++) {
        ScatterCall call = someRows(step);
        expected = Kernels.auto().scatter(expected, call);
        DistributedTensor next = tensor.scatter(call);
        tensor.close();
        tensor = next;
        if (step == 42) {
          killer.killOne();
        }
      }
      TensorAssert.assertSameBits(tensor.collect(), expected);
      assertThat(killer.removed).hasValue(1);
    }
  }

  @Test
  void checkpointOfACachedVersionSurvivesAnExecutorLoss() throws Exception {
    Tensor zeros = Tensor.zeros(DType.FLOAT32, Shape.of(1000, 4));
    try (LocalCluster cluster = LocalCluster.start()) {
      Killer killer = new Killer(cluster.processes());
      cluster.session().sparkContext().addSparkListener(killer);
      DistributedTensor tensor =
          DistributedTensor.of(cluster.session(), zeros, Partitioning.of(4))
              .scatter(someRows(0))
              .checkpoint();
      int rdd = tensor.blocks().rdd().id();
      BlockManagerMaster blocks = SparkEnv.get().blockManager().master();
      assertThat(IntStream.range(0, 4).mapToObj(i -> new RDDBlockId(rdd, i)))
          .allSatisfy(block -> assertThat(blocks.getLocations(block).size()).isEqualTo(2));
      assertThat(tensor.blocks().rdd().isCheckpointed()).isTrue();
      killer.killOne();
      TensorAssert.assertSameBits(tensor.collect(), Kernels.auto().scatter(zeros, someRows(0)));
      killer.awaitRemoved();
    }
  }

  private static ScatterCall someRows(int step) {
    long[] rows = LongStream.range(0, 50).map(i -> (i * 37 + step) % 1000).toArray();
    return ScatterCall.of(
        Scatter.add(),
        Tensor.wrap(DType.INT64, Shape.of(50, 1), rows),
        Tensor.fill(DType.FLOAT32, Shape.of(50, 4), 1.0 / (step + 1)));
  }

  /** Updates of hot slices are shuffled twice, and are sent again after the loss. */
  @Test
  void anExecutorKilledAfterHotSlicesWereFoldedChangesNoBit() throws Exception {
    Tensor table = random(TABLE, 0);
    try (LocalCluster cluster = LocalCluster.start()) {
      Killer killer = new Killer(cluster.processes());
      cluster.session().sparkContext().addSparkListener(killer);
      cluster.session().conf().set("spark.sparknd.skewBytes", "400k");
      Dataset<Row> updates =
          cluster
              .session()
              .range(0, ROWS, 1, 6)
              .selectExpr(
                  "if(id % 3 = 0, 5, id * 31 % 40000) AS slice",
                  "array_repeat(cast(1D / (id + 1) AS float), 16) AS value");
      DistributedTensor before =
          DistributedTensor.of(cluster.session(), table, Partitioning.of(PARTITIONS));
      killer.armed = true;
      DistributedTensor after =
          before.scatter(Scatter.add(), updates, TensorColumns.of("value", "slice"));
      assertThat(killer.removed).hasValue(1);
      assertThat(after.metrics().orElseThrow().hotSlices()).isEqualTo(1);
      TensorAssert.assertSameBits(after.collect(), Kernels.auto().scatter(table, reciprocals()));
    }
  }

  /** Returns the same updates as a local call. */
  private static ScatterCall reciprocals() {
    long[] slices = new long[ROWS];
    float[] values = new float[ROWS * (int) TABLE.dim(1)];
    for (int id = 0; id < ROWS; id++) {
      int from = id * (int) TABLE.dim(1);
      slices[id] = id % 3 == 0 ? 5 : id * 31L % TABLE.dim(0);
      Arrays.fill(values, from, from + (int) TABLE.dim(1), (float) (1D / (id + 1)));
    }
    return ScatterCall.of(
        Scatter.add(),
        Tensor.wrap(DType.INT64, Shape.of(ROWS, 1), slices),
        Tensor.wrap(DType.FLOAT32, Shape.of(ROWS, TABLE.dim(1)), values));
  }

  /**
   * The lost executor takes its shuffle files along, so the rows that it had read are read again.
   */
  @Test
  void anExecutorKilledBeforeAGatherIsReadChangesNoRow() throws Exception {
    Tensor table = random(TABLE, 0);
    try (LocalCluster cluster = LocalCluster.start()) {
      Killer killer = new Killer(cluster.processes());
      cluster.session().sparkContext().addSparkListener(killer);
      Dataset<Row> lookups =
          cluster.session().range(0, ROWS, 1, 6).selectExpr("id * 31 % " + TABLE.dim(0) + " AS id");
      Dataset<Row> rows =
          DistributedTensor.of(cluster.session(), table, Partitioning.of(PARTITIONS))
              .withStrategy(GatherStrategy.SHUFFLE_INDICES)
              .gather(Gather.strict(), lookups, List.of("id"));
      killer.killOne();
      assertSlices(rows, table);
      assertThat(killer.removed).hasValue(1);
    }
  }

  /** Checks that each row of {@code table} occurs as often as it is requested. */
  private static void assertSlices(Dataset<Row> rows, Tensor table) {
    int width = (int) TABLE.dim(1);
    float[] floats = (float[]) table.array();
    List<Float> values = IntStream.range(0, floats.length).mapToObj(i -> floats[i]).toList();
    Map<Long, Long> counts = new HashMap<>();
    rows.toLocalIterator()
        .forEachRemaining(
            row -> {
              int id = (int) row.getLong(0);
              boolean right = row.getList(1).equals(values.subList(id * width, (id + 1) * width));
              counts.merge(right ? id : -1L, 1L, Long::sum);
            });
    assertThat(counts).doesNotContainKey(-1L).hasSize((int) TABLE.dim(0));
    assertThat(counts.values()).containsOnly(ROWS / TABLE.dim(0));
  }

  /**
   * Returns a scatter-add with many duplicates. Index {@code i} has a probability proportional to
   * {@code 1 / i}.
   */
  private static ScatterCall call(int step) {
    Random random = new Random(step);
    long[] indices = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      indices[i] = (long) Math.pow((double) TABLE.dim(0), random.nextDouble()) - 1;
    }
    return ScatterCall.of(
        Scatter.add(),
        Tensor.wrap(DType.INT64, Shape.of(ROWS, 1), indices),
        random(Shape.of(ROWS, TABLE.dim(1)), step + 100));
  }

  private static Tensor random(Shape shape, long seed) {
    Random random = new Random(seed);
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.wrap(DType.FLOAT32, shape, values);
  }

  /** Once armed, kills the executor that starts the fifth reduce task of a scatter. */
  private static final class Killer extends SparkListener {
    private static final int FIFTH = 5;

    private final Map<String, Long> processes;
    private final AtomicInteger foldsStarted = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();
    private final AtomicInteger failedTasks = new AtomicInteger();
    private volatile boolean armed;
    private int foldStage = -1;

    Killer(Map<String, Long> processes) {
      this.processes = processes;
    }

    void killOne() {
      ProcessHandle.of(processes.values().iterator().next())
          .ifPresent(ProcessHandle::destroyForcibly);
    }

    /** The driver may learn of the loss after the last result. */
    void awaitRemoved() throws InterruptedException {
      for (int i = 0; i < 300 && removed.get() == 0; i++) {
        Thread.sleep(100);
      }
      assertThat(removed).hasValue(1);
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (armed && submitted.stageInfo().numTasks() == PARTITIONS) {
        foldStage = submitted.stageInfo().stageId();
      }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (start.stageId() == foldStage && foldsStarted.incrementAndGet() == FIFTH) {
        long process = processes.get(start.taskInfo().executorId());
        ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.reason() != Success$.MODULE$) {
        failedTasks.incrementAndGet();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      removed.incrementAndGet();
    }
  }
}
