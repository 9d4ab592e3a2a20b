/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a block of forty files if only three files may be open at a time. */
@Tag("slow")
class OpenStreamsTest {
  private static final int FILES = 40;
  private static final int ROWS = 80;

  @TempDir Path directory;

  private final SparkSession spark = LocalSpark.session();

  @Test
  void scatterGatherAndCompactionLimitOpenStreams() throws Exception {
    String catalog = "counted" + Integer.toUnsignedString(directory.hashCode());
    spark.conf().set("spark.sql.catalog." + catalog + ".io-impl", CountedIO.class.getName());
    LocalCatalog.addTo(spark, catalog, directory);
    TensorTable table =
        TensorTable.create(
            spark,
            catalog + ".tests.t",
            TensorSpec.of(DType.INT64, Shape.of(ROWS)).withRowsPerBlock(ROWS));
    for (int file = 0; file < FILES; file++) {
      spark.sql(
          "INSERT INTO %s VALUES (%dL, 1L), (%dL, 1L)"
              .formatted(table.name(), file, ROWS - 1 - file));
    }
    try (AutoCloseable limit = CountedIO.allowing(3)) {
      TensorColumns columns = TensorColumns.of("value", "i0");
      Dataset<Row> updates = spark.range(0, ROWS, 7, 1).selectExpr("id AS i0", "5L AS value");
      table.scatter(Scatter.add(), updates, columns);
      assertThat(sum(table)).isEqualTo(ROWS + 5 * updates.count());
      table.compact();
      assertThat(sum(table)).isEqualTo(ROWS + 5 * updates.count());
      assertThat(CountedIO.opened()).isGreaterThan(FILES);
      assertThat(CountedIO.open()).as("streams left open").isZero();
    }
  }

  private long sum(TensorTable table) {
    return table
        .gather(Gather.strict(), spark.range(ROWS).toDF("i0"), List.of("i0"))
        .selectExpr("sum(value)")
        .head()
        .getLong(0);
  }
}
