/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.SparkTableUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a snapshot as Iceberg reads them, with the columns that the table has now. Iceberg's
 * own reads of a snapshot by its id have the columns of its time.
 *
 * @param snapshot null for no rows
 */
public record SnapshotRows(SparkSession spark, Table table, @Nullable Long snapshot) {
  /** Names of the columns of {@link #positions}. */
  private static final String FILE = "__sparknd_file";

  private static final String POSITION = "__sparknd_pos";

  private static final String FILE_METADATA = "_file";
  private static final String POSITION_METADATA = "_pos";

  /** Returns the rows. */
  public Dataset<Row> rows() {
    return snapshot == null
        ? spark.createDataFrame(List.of(), SparkSchemaUtil.convert(table.schema()))
        : rows(snapshot, read -> List.of());
  }

  /**
   * Returns file and position of the rows that satisfy a condition: a string and a bigint.
   *
   * @param condition a condition on columns of the table; rows for which it is NULL are left out
   */
  public Dataset<Row> positions(Column condition) {
    return snapshot == null
        ? spark.createDataFrame(
            List.of(), new StructType().add(FILE, "string").add(POSITION, "bigint"))
        : rows(snapshot, SnapshotRows::metadata).where(condition).select(FILE, POSITION);
  }

  private static List<Column> metadata(Dataset<Row> read) {
    return List.of(
        read.metadataColumn(FILE_METADATA).as(FILE),
        read.metadataColumn(POSITION_METADATA).as(POSITION));
  }

  private Dataset<Row> rows(long of, Function<Dataset<Row>, List<Column>> others) {
    Dataset<Row> read = SparkTableUtil.loadTable(spark, table, of);
    Schema then = SnapshotUtil.schemaFor(table, of);
    List<Column> columns = columns(then);
    columns.addAll(others.apply(read));
    Dataset<Row> rows = read.select(columns.toArray(Column[]::new));
    // Iceberg binds filters to the columns of now: a filter on those of then must not reach it
    return then.sameSchema(table.schema())
        ? rows
        : spark.createDataFrame(rows.rdd(), rows.schema());
  }

  /** Returns a column of the table that hides one of {@link #positions}'s sources, if any. */
  public static Optional<String> hidden(Table table) {
    return Stream.of(FILE_METADATA, POSITION_METADATA)
        .filter(name -> table.schema().caseInsensitiveFindField(name) != null)
        .findFirst();
  }

  private List<Column> columns(Schema then) {
    List<Column> columns = new ArrayList<>();
    for (Types.NestedField field : table.schema().columns()) {
      Column column =
          Optional.ofNullable(then.findField(field.fieldId()))
              .map(before -> column(before, field))
              .orElseGet(() -> EvolvedValue.initial(field));
      columns.add(column.as(field.name()));
    }
    return columns;
  }

  private static Column column(Types.NestedField before, Types.NestedField now) {
    Column column = SqlNames.column(before.name());
    return EvolvedValue.of(column, before.type(), now.type());
  }
}
