/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/**
 * Options for reading tables as a tensor. Options that are not given have defaults from the tables.
 *
 * @param shape of the tensor; default: the table property {@code sparknd.shape}
 * @param dtype of the elements; default: that of the value column's SQL type
 * @param indexColumns of both tables; default: the names in the tensor, otherwise by position
 * @param valueColumn of both tables; default: the name in the tensor, otherwise the only column
 *     besides the indices; the last column if the table has none of the tensor's names
 * @param orderBy ordering columns of a scatter's updates, as in {@link
 *     io.sparknd.cluster.options.TensorColumns}
 */
public record TensorOptions(
    Optional<Shape> shape,
    Optional<DType> dtype,
    Optional<List<String>> indexColumns,
    Optional<String> valueColumn,
    List<String> orderBy) {
  /** No options. */
  public static final TensorOptions NONE =
      new TensorOptions(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  public TensorOptions {
    indexColumns = indexColumns.map(List::copyOf);
    orderBy = List.copyOf(orderBy);
  }

  /**
   * Checks the shape and dtype against a stored tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if a given shape or dtype differs from the table's
   */
  void requireFor(TensorRelation table) {
    shape
        .filter(requested -> !requested.equals(table.shape()))
        .ifPresent(requested -> reject("shape", table, requested, table.shape()));
    dtype
        .filter(requested -> requested != table.dtype())
        .ifPresent(requested -> reject("dtype", table, requested, table.dtype()));
  }

  private static void reject(String option, TensorRelation table, Object requested, Object is) {
    throw SqlErrors.optionContradictsTable(option, requested, table.toString(), is);
  }

  /**
   * Returns the name of the slice column of {@code table}.
   *
   * @throws io.sparknd.tensor.SparkNdException if another value column is given
   */
  String requireValueColumn(TensorRelation table) {
    StructType schema = table.schema();
    String name = schema.fieldNames()[schema.length() - 1];
    ColumnNameMatcher session = new ColumnNameMatcher(SQLConf.get().caseSensitiveAnalysis());
    valueColumn
        .filter(requested -> !session.areSame(requested, name))
        .ifPresent(requested -> reject("value_column", table, requested, name));
    return name;
  }

  public TensorOptions withShape(Shape other) {
    return new TensorOptions(Optional.of(other), dtype, indexColumns, valueColumn, orderBy);
  }

  public TensorOptions withDType(DType other) {
    return new TensorOptions(shape, Optional.of(other), indexColumns, valueColumn, orderBy);
  }

  public TensorOptions withIndexColumns(String... columns) {
    return new TensorOptions(shape, dtype, Optional.of(List.of(columns)), valueColumn, orderBy);
  }

  public TensorOptions withValueColumn(String column) {
    return new TensorOptions(shape, dtype, indexColumns, Optional.of(column), orderBy);
  }

  public TensorOptions orderedBy(String... columns) {
    return new TensorOptions(shape, dtype, indexColumns, valueColumn, List.of(columns));
  }
}
