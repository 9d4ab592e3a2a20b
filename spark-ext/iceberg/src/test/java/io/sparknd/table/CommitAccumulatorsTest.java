/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.CopiedAccumulators;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * Tests that Spark copies no results of a commit when a task ends: the list of all files so far,
 * for each task, would take memory and time by the square of the tasks.
 */
class CommitAccumulatorsTest {
  private final SparkSession spark = TestTables.spark();

  private void requireNoneOfSparkNd(Runnable work) throws Exception {
    Set<String> copied = CopiedAccumulators.of(spark.sparkContext(), work);
    assertThat(copied).contains("internal.metrics.executorRunTime");
    assertThat(copied).noneMatch(name -> name.startsWith("sparknd"));
    assertThat(copied).doesNotContain("without a name");
  }

  @Test
  void commitsIntoTensorTables() throws Exception {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.INT64, Shape.of(60)).withRowsPerBlock(10));
    Dataset<Row> updates = spark.range(0, 60, 3).selectExpr("id AS i0", "1L AS value");
    requireNoneOfSparkNd(
        () -> {
          table.scatter(Scatter.add(), updates, TensorColumns.of("value", "i0"));
          spark.sql("INSERT INTO " + table.name() + " VALUES (1L, 1L), (2L, 1L)");
          assertThat(table.compact().filesAdded()).isPositive();
        });
  }

  @Test
  void commitsIntoFeatureTables() throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "bigint")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(4));
    Dataset<Row> updates = spark.range(60).selectExpr("id AS user", "1L AS n");
    requireNoneOfSparkNd(
        () -> {
          table.scatter(updates);
          spark.sql("INSERT INTO " + table.name() + " VALUES (100L, 1L), (101L, 1L)");
          assertThat(table.compact().filesAdded()).isPositive();
          table.evict("user < 10");
        });
  }
}
