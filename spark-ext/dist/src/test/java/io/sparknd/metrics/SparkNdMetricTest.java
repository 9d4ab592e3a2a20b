/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.EmbeddingLookup;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that each metric counts the work that was done. */
class SparkNdMetricTest {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private final SparkSession spark = LocalSpark.session();
  private final Counted counted = Counted.start();

  @AfterEach
  void stopCounting() {
    counted.close();
  }

  private DistributedTensor zeros() {
    return DistributedTensor.zeros(spark, DType.INT64, Shape.of(100), Partitioning.of(4));
  }

  /** Returns updates of rows {@code [from, to)}. */
  private Dataset<Row> updates(int from, int to) {
    return spark.range(from, to, 1, 3).selectExpr("id AS i0", "1L AS value");
  }

  @Test
  void scattersAreCounted() {
    Scatter ignoring =
        Scatter.add().withIndices(new IndexPolicy(BadIndices.IGNORE, NegativeIndices.ERROR));
    DistributedTensor next = zeros().scatter(ignoring, updates(50, 110), COLUMNS);
    ScatterMetrics did = next.metrics().orElseThrow();
    assertThat(counted.all())
        .containsEntry("scatters", 1L)
        .containsEntry("scatter.updates", 60L)
        .containsEntry("scatter.dropped", 10L)
        .containsEntry("scatter.bytesExchanged", did.bytesExchanged())
        .containsEntry("scatter.blocksCopied", did.blocksCopied())
        .containsEntry("task.folds", 4L)
        .containsEntry("task.updates", 50L)
        .doesNotContainKeys("gathers", "lookups", "table.commits", "training.steps");
    assertThat(counted.of(SparkNdMetric.TASK_FOLD_NANOS)).isPositive();
    assertThat(counted.of(SparkNdMetric.SCATTER_SLOWEST_TASK)).isEqualTo(1);
    next.scatter(Scatter.add(), updates(0, 7), COLUMNS);
    assertThat(counted.all()).containsEntry("scatters", 2L).containsEntry("scatter.updates", 67L);
  }

  @Test
  void failedScattersAreNotCounted() {
    try (DistributedTensor tensor = zeros()) {
      assertThatThrownBy(() -> tensor.scatter(Scatter.add(), updates(50, 110), COLUMNS))
          .isInstanceOf(SparkNdException.class);
    }
    assertThat(counted.all()).doesNotContainKeys("scatters", "scatter.updates");
  }

  @Test
  void scalarKernelIsReported() {
    spark.conf().set("spark.sparknd.kernel", "scalar");
    try {
      zeros().scatter(Scatter.add(), updates(0, 10), COLUMNS);
    } finally {
      spark.conf().unset("spark.sparknd.kernel");
    }
    assertThat(counted.all()).containsEntry("task.scalarFolds", 4L);
  }

  @Test
  void gpuFoldsAreReported() {
    TaskMetrics.folded("cudf", 10, 1);
    assertThat(counted.all()).containsEntry("task.cudfFolds", 1L).containsEntry("task.folds", 1L);
  }

  @Test
  void gathersAreCounted() {
    Dataset<Row> indices = spark.range(5).toDF("i0");
    zeros().gather(Gather.strict(), indices, List.of("i0")).collectAsList();
    spark
        .sql(
            "SELECT * FROM gather_nd(TABLE(SELECT id AS i, id AS v FROM range(9)),"
                + " TABLE(SELECT 3 AS i), array(9))")
        .collectAsList();
    assertThat(counted.all()).containsEntry("gathers", 2L);
  }

  @Test
  void lookupsAreCounted() {
    DistributedTensor weights =
        DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(9, 2), Partitioning.of(2));
    Dataset<Row> lists = spark.sql("SELECT array(0, 1) AS ids");
    EmbeddingLookup.of(weights, Lookup.mean(), lists, LookupColumns.of("ids")).collectAsList();
    assertThat(counted.all()).containsEntry("lookups", 1L).doesNotContainKey("gathers");
  }

  @Test
  void tableFunctionsCountOnce() {
    spark
        .sql(
            "SELECT * FROM scatter_nd(TABLE(SELECT id % 5 AS i, id AS v FROM range(50)), array(9))")
        .collectAsList();
    assertThat(counted.all())
        .containsEntry("scatters", 1L)
        .containsEntry("scatter.updates", 50L)
        .doesNotContainKey("scatter.blocksCopied");
    assertThat(counted.of(SparkNdMetric.SCATTER_SLOWEST_TASK)).isZero();
  }

  @Test
  void commitsAreCounted() throws IOException {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.INT64, Shape.of(100)).withRowsPerBlock(10));
    TableCommit first =
        table.write().batchId("one").scatter(Scatter.add(), updates(0, 25), COLUMNS).commit();
    table.write().batchId("one").scatter(Scatter.add(), updates(0, 25), COLUMNS).commit();
    TableCommit second = table.scatter(Scatter.add(), updates(20, 22), COLUMNS);
    Map<String, Long> scattered = counted.all();
    assertThat(scattered)
        .containsEntry("table.commits", 2L)
        .containsEntry("table.replays", 1L)
        .containsEntry("table.updates", 27L)
        .containsEntry("table.rows", 27L)
        .containsEntry("table.bytesWritten", first.bytesWritten() + second.bytesWritten())
        .doesNotContainKeys("scatters", "table.compactions", "table.lostRaces");
    assertThat(scattered.get("task.updates")).isEqualTo(27);
    TableCommit compacted = table.compact();
    assertThat(counted.all())
        .containsEntry("table.compactions", 1L)
        .containsEntry("table.commits", 2L)
        .containsEntry(
            "table.bytesWritten", scattered.get("table.bytesWritten") + compacted.bytesWritten());
  }

  private FeatureTable users(Variable variable) {
    return FeatureTable.create(
        spark, TestTables.name(), FeatureTableSpec.numbered("id", 100).with(variable));
  }

  @Test
  void foldsOfFeaturesAreCounted() {
    TestTables.spark().conf().set("spark.sparknd.kernel", "scalar");
    try {
      users(Variable.of("views", "bigint").reducedBy(VariableReduction.add()))
          .scatter(spark.range(25).selectExpr("id", "1L AS views"));
      Map<String, Long> added = counted.all();
      assertThat(added).containsEntry("task.updates", 25L).containsKey("task.folds");
      assertThat(added).containsEntry("task.scalarFolds", added.get("task.folds"));
      assertThat(counted.of(SparkNdMetric.TASK_FOLD_NANOS)).isPositive();
      users(Variable.of("views", "bigint")).scatter(spark.range(7).selectExpr("id", "1L AS views"));
      assertThat(counted.all())
          .containsEntry("task.updates", 32L)
          .containsEntry("task.scalarFolds", added.get("task.scalarFolds"));
    } finally {
      spark.conf().unset("spark.sparknd.kernel");
    }
  }

  @Test
  void gathersFromTablesAreCounted() {
    Dataset<Row> ids = spark.range(5).toDF("id");
    TestTables.create(TensorSpec.of(DType.INT64, Shape.of(100)))
        .gather(Gather.strict(), ids, List.of("id"));
    assertThat(counted.all()).containsEntry("gathers", 1L);
    FeatureTable users = users(Variable.of("views", "bigint"));
    users.gather(ids, List.of("id"));
    assertThat(counted.all()).containsEntry("gathers", 2L);
    users.gatherAsOf(ids.selectExpr("id", "now() AS at"), List.of("id"), "at");
    assertThat(counted.all()).containsEntry("gathers", 3L);
    spark
        .sql("SELECT * FROM gather_nd(TABLE(" + users.name() + "), TABLE(SELECT 3 AS id))")
        .collectAsList();
    assertThat(counted.all()).containsEntry("gathers", 4L).containsEntry("task.keysNotFound", 1L);
  }

  /** Without a batch id, they commit nothing. */
  @Test
  void updatesOfScattersThatDropAllAreCounted() {
    TensorTable table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(100)));
    Scatter ignoring =
        Scatter.add().withIndices(new IndexPolicy(BadIndices.IGNORE, NegativeIndices.ERROR));
    assertThat(table.scatter(ignoring, updates(100, 107), COLUMNS).outcome())
        .isEqualTo(TableCommit.Outcome.EMPTY);
    assertThat(counted.all())
        .containsEntry("table.dropped", 7L)
        .doesNotContainKeys("table.commits", "table.updates");
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.numbered("id", 100).with(Variable.of("views", "bigint")));
    Dataset<Row> rows = spark.range(100, 103).selectExpr("id", "1L AS views");
    assertThat(
            users
                .write()
                .scatter(rows, FeatureUpdates.declared().ignoringBadKeys())
                .commit()
                .outcome())
        .isEqualTo(TableCommit.Outcome.EMPTY);
    assertThat(counted.all()).containsEntry("table.dropped", 10L);
  }

  @Test
  void closedRegistrationReceivesNoCounts() {
    counted.close();
    zeros().scatter(Scatter.add(), updates(0, 10), COLUMNS);
    assertThat(counted.all()).isEmpty();
  }

  /**
   * If two applications run one after the other in a JVM, closing the first registration does not
   * end the second.
   */
  @Test
  void closingAnEarlierRegistrationKeepsTheLater() {
    try (Counted later = Counted.start()) {
      counted.close();
      zeros().scatter(Scatter.add(), updates(0, 10), COLUMNS);
      assertThat(later.all()).containsEntry("scatters", 1L);
    }
  }
}
