/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.scan.PlannedRows;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/** The columns of a Dataset that a scatter or gather reads, checked before any job runs. */
public final class RowColumns {
  /** The name of the slice column in results. */
  public static final String VALUE = "value";

  private RowColumns() {}

  /**
   * Returns the position of an integer column.
   *
   * @throws io.sparknd.tensor.SparkNdException if no column or several columns have the name, or
   *     the column is of another type
   */
  public static int indexOrdinal(Dataset<Row> rows, String column) {
    int ordinal = ordinal(rows, column);
    DataType type = rows.schema().apply(ordinal).dataType();
    if (!InternalRows.isInteger(type)) {
      throw ClusterErrors.indexColumnNotInteger(column, type.simpleString());
    }
    return ordinal;
  }

  private static int ordinal(Dataset<Row> rows, String column) {
    return ColumnNameMatcher.in(rows).ordinal(rows.columns(), column);
  }

  /** Selects the index columns alone. */
  static Dataset<Row> indices(Dataset<Row> rows, TensorColumns columns) {
    return rows.select(indexColumns(rows, columns).toArray(new Column[0]));
  }

  private static List<Column> indexColumns(Dataset<Row> rows, TensorColumns columns) {
    List<Column> selected = new ArrayList<>();
    for (String index : columns.indices()) {
      selected.add(SqlNames.column(rows.columns()[indexOrdinal(rows, index)]));
    }
    return selected;
  }

  /**
   * Selects the index columns and the value column, as the dtype's SQL type, in the order of the
   * order columns. A column of the right type is not cast: a cast would turn batches into rows.
   */
  static Dataset<Row> updates(Dataset<Row> rows, TensorColumns columns, DType dtype, Shape slice) {
    List<Column> selected = indexColumns(rows, columns);
    DataType type = rows.schema().apply(ordinal(rows, columns.value())).dataType();
    SqlTypes.requireSlices(columns.value(), type, dtype, slice);
    DataType wanted = SqlTypes.slice(dtype, levels(type));
    Column value = SqlNames.column(columns.value());
    selected.add(isWidened(type, wanted) ? value.cast(nullable(wanted)) : value);
    if (columns.orderBy().isEmpty()
        && !isWidened(type, wanted)
        && PlannedRows.isPlanned(rows)
        && areAll(rows, columns)) {
      return rows; // saves the analysis of a selection
    }
    Dataset<Row> ordered = columns.orderBy().isEmpty() ? rows : sorted(rows, columns);
    return ordered.select(selected.toArray(new Column[0]));
  }

  /** Whether the index columns and the value column are all columns, in this order. */
  private static boolean areAll(Dataset<Row> rows, TensorColumns columns) {
    List<Integer> ordinals = new ArrayList<>();
    columns.indices().forEach(index -> ordinals.add(ordinal(rows, index)));
    ordinals.add(ordinal(rows, columns.value()));
    return ordinals.equals(IntStream.range(0, rows.columns().length).boxed().toList());
  }

  /**
   * Checks the type of a column that orders updates.
   *
   * @throws io.sparknd.tensor.SparkNdException if Spark has no order of its values
   */
  public static void requireOrder(String column, DataType type) {
    if (!SqlTypes.hasOrder(type)) {
      throw ClusterErrors.orderColumnType(column, type.simpleString());
    }
  }

  /** Returns how deep a value column nests arrays. */
  static int levels(DataType type) {
    return type instanceof ArrayType array ? 1 + levels(array.elementType()) : 0;
  }

  /** Returns whether slices of {@code type} need a cast to be read as {@code wanted}. */
  private static boolean isWidened(DataType type, DataType wanted) {
    return type instanceof ArrayType from && wanted instanceof ArrayType to
        ? isWidened(from.elementType(), to.elementType())
        : type.defaultSize() != wanted.defaultSize();
  }

  /** Returns the type with nulls allowed; nulls are detected row by row. */
  private static DataType nullable(DataType type) {
    return type instanceof ArrayType array
        ? new ArrayType(nullable(array.elementType()), true)
        : type;
  }

  /**
   * Sorts by the order columns; indices and value break ties, so that the order is deterministic.
   */
  private static Dataset<Row> sorted(Dataset<Row> rows, TensorColumns columns) {
    List<Column> keys = new ArrayList<>();
    for (String column : columns.orderBy()) {
      int ordinal = ordinal(rows, column);
      requireOrder(column, rows.schema().apply(ordinal).dataType());
      keys.add(SqlNames.column(rows.columns()[ordinal]));
    }
    columns.indices().forEach(column -> keys.add(SqlNames.column(column)));
    keys.add(SqlNames.column(columns.value()));
    return rows.sort(keys.toArray(new Column[0]));
  }
}
