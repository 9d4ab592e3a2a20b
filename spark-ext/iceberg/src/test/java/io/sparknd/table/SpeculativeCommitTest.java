/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.TwoHostCluster;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that tasks with two attempts at once change neither the rows of a table nor the counts of a
 * commit, and leave no files.
 */
@Tag("slow")
class SpeculativeCommitTest {
  private static final int ROWS = 4_000;
  private static final int BAD = 40;
  private static final int BLOCKS = 8;

  @TempDir Path directory;

  private TwoHostCluster start() throws Exception {
    TwoHostCluster cluster =
        TwoHostCluster.start(Map.of(SlowOnceIO.MARKER, directory.resolve("slow").toString()));
    SparkSession spark = cluster.session();
    LocalCatalog.addTo(spark, "twice", Files.createDirectory(directory.resolve("lake")));
    spark.conf().set("spark.sql.catalog.twice.io-impl", SlowOnceIO.class.getName());
    return cluster;
  }

  @Test
  void rowsOfAFeatureTableCountOnce() throws Exception {
    try (TwoHostCluster cluster = start()) {
      SparkSession spark = cluster.session();
      FeatureTable table =
          FeatureTable.create(
              spark,
              "twice.tests.f",
              FeatureTableSpec.keyedBy("k", "string")
                  .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                  .withBuckets(BLOCKS));
      Dataset<Row> updates =
          spark
              .range(0, ROWS, 1, BLOCKS)
              .selectExpr(
                  "if(id % " + ROWS / BAD + " = 0, NULL, string(id % 500)) AS k", "id AS n");
      TableCommit commit =
          table.write().scatter(updates, FeatureUpdates.declared().ignoringBadKeys()).commit();
      assertThat(directory.resolve("slow")).exists();
      assertThat(cluster.speculated()).isPositive();
      assertThat(commit)
          .extracting(TableCommit::updates, TableCommit::dropped, TableCommit::blocks)
          .containsExactly((long) ROWS, (long) BAD, (long) BLOCKS);
      long dropped = (long) BAD * (BAD - 1) / 2 * (ROWS / BAD);
      assertThat(spark.table(table.name()).selectExpr("sum(n)").first().getLong(0))
          .isEqualTo((long) ROWS * (ROWS - 1) / 2 - dropped);
      table.expire(Retention.of(Duration.ZERO));
      table.removeOrphans(Duration.ZERO);
      assertThat(table.orphans(Duration.ZERO)).isEmpty();
      assertThat(spark.table(table.name()).select("k").distinct().count())
          .isEqualTo(spark.table(table.name()).count());
    }
  }

  @Test
  void slicesOfATensorTableAreAddedOnce() throws Exception {
    try (TwoHostCluster cluster = start()) {
      SparkSession spark = cluster.session();
      TensorTable table =
          TensorTable.create(
              spark,
              "twice.tests.t",
              TensorSpec.of(DType.INT64, Shape.of(ROWS)).withRowsPerBlock(ROWS / BLOCKS));
      Dataset<Row> updates =
          spark.range(0, ROWS, 1, BLOCKS).selectExpr("id AS i0", "id + 1 AS value");
      TensorColumns columns = TensorColumns.of("value", "i0");
      TableCommit first = table.scatter(Scatter.add(), updates, columns);
      assertThat(directory.resolve("slow")).exists();
      assertThat(cluster.speculated()).isPositive();
      assertThat(first)
          .extracting(TableCommit::updates, TableCommit::rows, TableCommit::blocks)
          .containsExactly((long) ROWS, (long) ROWS, (long) BLOCKS);
      Files.delete(directory.resolve("slow"));
      table.scatter(Scatter.add(), updates, columns);
      assertThat(directory.resolve("slow")).exists();
      assertThat(table.toDataset().where("value = 2 * (i0 + 1)").count()).isEqualTo(ROWS);
      assertThat(table.toDataset().count()).isEqualTo(ROWS);
      table.expire(Retention.of(Duration.ZERO));
      table.removeOrphans(Duration.ZERO);
      HookedLake.assertNoOrphans(table);
    }
  }
}
