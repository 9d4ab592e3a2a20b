/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reads of tables of which something else deleted a file. */
class MissingFilesTest {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private final SparkSession spark = TestTables.spark();

  private Dataset<Row> rows(long count) {
    return spark.range(0, count, 1, 1).selectExpr("id AS i0", "array(id, id) AS value");
  }

  /** Creates a tensor of one block. */
  private static TensorTable tensor(long count, Dataset<Row> rows) {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.INT64, Shape.of(count, 2)).withRowsPerBlock(count));
    table.scatter(Scatter.update(), rows, COLUMNS);
    return table;
  }

  @Test
  void missingDataFileOfTensorIsNamedWithItsTable() throws IOException {
    Dataset<Row> rows = rows(20);
    TensorTable table = tensor(20, rows);
    Dataset<Row> read = table.toDataset();
    String file = delete(table.iceberg().location(), ".parquet");
    assertMissing(file, table.name(), () -> table.scatter(Scatter.add(), rows.limit(3), COLUMNS));
    assertMissing(file, table.name(), () -> gathered(table));
    assertMissing(file, table.name(), read::collectAsList);
  }

  @Test
  void missingDeletionVectorIsNamedWithItsTable() throws IOException {
    Dataset<Row> rows = rows(1000);
    TensorTable table = tensor(1000, rows);
    table.scatter(Scatter.update(), rows.limit(3), COLUMNS);
    Dataset<Row> read = table.toDataset();
    String file = delete(table.iceberg().location(), ".puffin");
    assertMissing(file, table.name(), () -> gathered(table));
    assertMissing(file, table.name(), read::collectAsList);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "string"})
  void missingDataFileOfFeaturesIsNamedWithItsTable(String type) throws IOException {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", type))
                .withBuckets(1));
    Dataset<Row> rows =
        spark.range(0, 20, 1, 1).selectExpr("'u' || id AS user", "CAST(id AS " + type + ") views");
    table.scatter(rows);
    String file = delete(table.iceberg().location(), ".parquet");
    assertMissing(file, table.name(), () -> table.scatter(rows.limit(3)));
    Dataset<Row> wanted = rows.select("user").selectExpr("*", "current_timestamp() AS at");
    assertMissing(
        file, table.name(), () -> table.gather(wanted, List.of("user"), "views").collectAsList());
    assertMissing(
        file,
        table.name(),
        () ->
            table
                .gatherAsOf(wanted, List.of("user"), AsOf.commitTime("at").orNullIfExpired())
                .collectAsList());
  }

  private List<Row> gathered(TensorTable table) {
    return table.gather(Gather.strict(), spark.range(20).toDF("i0"), List.of("i0")).collectAsList();
  }

  /** Deletes the only file of a table whose name ends so, and returns its name. */
  private static String delete(String location, String suffix) throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(location.replaceFirst("^file:/+", "/")))) {
      List<Path> files = all.filter(each -> each.toString().endsWith(suffix)).toList();
      assertThat(files).hasSize(1);
      Files.delete(files.get(0));
      return files.get(0).getFileName().toString();
    }
  }

  private static void assertMissing(String file, String table, ThrowingCallable read) {
    assertThatThrownBy(read)
        .hasStackTraceContaining(file + " of table " + table + " does not exist: ")
        .hasStackTraceContaining("restore the file, or roll the table back");
  }
}
