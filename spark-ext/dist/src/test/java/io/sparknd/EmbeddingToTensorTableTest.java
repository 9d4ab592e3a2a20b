/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a trained embedding table can be written to an Iceberg tensor table. */
@Tag("slow")
class EmbeddingToTensorTableTest {
  @TempDir private Path directory;

  @Test
  void trainedWeightsAreTheSameBitsInAnIcebergTable() {
    SparkSession spark = LocalSpark.session();
    EmbeddingSpec spec =
        EmbeddingSpec.of(300, 4, Optimizer.adagrad(0.1))
            .withInitializer(Initializer.zeros())
            .withPartitions(3);
    EmbeddingTable trained =
        EmbeddingTable.create(spark, spec)
            .apply(
                spark.sql(
                    "SELECT id * 7 % 290 AS row, array(1f, 2f, 3f, 4f) AS gradient FROM range(99)"),
                TensorColumns.of("gradient", "row"));
    LocalCatalog.addTo(spark, "models", directory.resolve("lake"));
    TensorTable table =
        TensorTable.create(
            spark, "models.tests.pages", TensorSpec.of(DType.FLOAT32, Shape.of(300, 4)));
    table.scatter(Scatter.update(), trained.toDataset(), TensorColumns.of("embedding", "id"));
    TensorAssert.assertSameBits(
        table.load(Partitioning.AUTO).collect(), trained.weights().collect());
    EmbeddingTable next =
        trained.apply(
            spark.sql("SELECT 5L AS row, array(1f, 0f, 0f, -1f) AS gradient"),
            TensorColumns.of("gradient", "row"));
    assertThat(next.changesSince(trained).count()).isEqualTo(1);
    table.scatter(
        Scatter.update(), next.changesSince(trained), TensorColumns.of("embedding", "id"));
    TensorAssert.assertSameBits(table.load(Partitioning.AUTO).collect(), next.weights().collect());
  }
}
