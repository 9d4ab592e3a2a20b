/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * How tables are read as a tensor; what is left open follows from their columns.
 *
 * @param shape of the tensor; open: the table's property {@code sparknd.shape}
 * @param dtype open: that of the value column's SQL type
 * @param indexColumns of the updates or indices; open: the first ones
 * @param valueColumn of a scatter's updates, or of a gather's params; open: the last one
 * @param orderBy columns of a scatter's updates, as {@link io.sparknd.cluster.TensorColumns}
 */
public record TensorOptions(
    Optional<Shape> shape,
    Optional<DType> dtype,
    Optional<List<String>> indexColumns,
    Optional<String> valueColumn,
    List<String> orderBy) {
  /** Everything left open. */
  public static final TensorOptions NONE =
      new TensorOptions(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  public TensorOptions {
    indexColumns = indexColumns.map(List::copyOf);
    orderBy = List.copyOf(orderBy);
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
