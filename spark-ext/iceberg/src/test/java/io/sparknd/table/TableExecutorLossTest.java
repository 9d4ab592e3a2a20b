/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.LocalCluster;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an executor that dies changes neither the files of a table nor the counts of a commit.
 */
@Tag("slow")
class TableExecutorLossTest {
  private static final Shape SHAPE = Shape.of(64_000, 8);
  private static final int BLOCKS = 32;
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  @Test
  void executorKilledInAScatterLeavesNoOrphanFiles(@TempDir Path directory) throws Exception {
    try (LocalCluster cluster = LocalCluster.start(Map.of())) {
      SparkSession spark = cluster.session();
      LocalCatalog.addTo(spark, "lossy", directory);
      TensorTable table =
          TensorTable.create(
              spark,
              "lossy.tests.t",
              TensorSpec.of(DType.INT64, SHAPE).withRowsPerBlock(SHAPE.dim(0) / BLOCKS));
      add(spark, table);
      Killer killer = new Killer(cluster.processes());
      spark.sparkContext().addSparkListener(killer);
      killer.armed = true;
      TableCommit commit = add(spark, table);
      assertThat(killer.removed).hasValue(1);
      assertThat(commit.blocks()).isEqualTo(BLOCKS);
      assertHolds(table, 2);
      add(spark, table);
      table.expire(Retention.of(Duration.ZERO));
      table.removeOrphans(Duration.ZERO);
      assertHolds(table, 3);
      HookedLake.assertNoOrphans(table);
    }
  }

  /** The map tasks of the executor run again, and drop their rows again. */
  @Test
  void droppedRowsOfALostExecutorCountOnce(@TempDir Path directory) throws Exception {
    int rows = 4_000;
    int bad = 40;
    try (LocalCluster cluster = LocalCluster.start(Map.of())) {
      SparkSession spark = cluster.session();
      LocalCatalog.addTo(spark, "lossy", directory);
      FeatureTable table =
          FeatureTable.create(
              spark,
              "lossy.tests.f",
              FeatureTableSpec.keyedBy("k", "string")
                  .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                  .withBuckets(BLOCKS));
      Dataset<Row> updates =
          spark
              .range(0, rows, 1, 8)
              .selectExpr("if(id % " + rows / bad + " = 0, NULL, string(id)) AS k", "id AS n");
      Killer killer = new Killer(cluster.processes());
      spark.sparkContext().addSparkListener(killer);
      killer.armed = true;
      TableCommit commit =
          table.write().scatter(updates, FeatureUpdates.declared().ignoringBadKeys()).commit();
      assertThat(killer.removed).hasValue(1);
      assertThat(commit.dropped()).isEqualTo(bad);
      assertThat(commit.updates()).isEqualTo(rows);
      assertThat(spark.table(table.name()).count()).isEqualTo(rows - bad);
    }
  }

  private static TableCommit add(SparkSession spark, TensorTable table) {
    return table.scatter(
        Scatter.add(),
        spark
            .range(0, SHAPE.dim(0), 1, 4)
            .selectExpr("id AS i0", "array_repeat(id, " + SHAPE.dim(1) + ") AS value"),
        COLUMNS);
  }

  private static void assertHolds(TensorTable table, int times) {
    long[] expected = new long[(int) SHAPE.elements()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = times * (i / SHAPE.dim(1));
    }
    try (DistributedTensor loaded = table.load(Partitioning.AUTO)) {
      TensorAssert.assertSameBits(loaded.collect(), Tensor.wrap(DType.INT64, SHAPE, expected));
    }
  }

  /**
   * Once armed, kills the executor that starts the first task of a stage with parent stages, after
   * a pause.
   */
  private static final class Killer extends SparkListener {
    private final Map<String, Long> processes;
    private final AtomicInteger removed = new AtomicInteger();
    private volatile boolean armed;
    private int stage = -1;

    Killer(Map<String, Long> processes) {
      this.processes = processes;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (armed && !submitted.stageInfo().parentIds().isEmpty()) {
        stage = submitted.stageInfo().stageId();
      }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (armed && start.stageId() == stage) {
        armed = false;
        pause();
        ProcessHandle.of(processes.get(start.taskInfo().executorId()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }

    /** Gives the task time to begin files. */
    private static void pause() {
      try {
        Thread.sleep(150);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      removed.incrementAndGet();
    }
  }
}
