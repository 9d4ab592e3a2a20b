/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.tables.TableTensor;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Indexing;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.VarcharType;
import org.jspecify.annotations.Nullable;

/**
 * The column ordinals of a table of slices.
 *
 * @param indices index columns, outermost dimension first
 * @param orderBy columns that order several slices of one index
 * @param valueFound how {@code value} was found
 */
record SliceOrdinals(List<Integer> indices, int value, List<Integer> orderBy, ValueFound valueFound)
    implements Serializable {

  /** How the value column was found. */
  enum ValueFound {
    BY_NAME,
    /** As the last column. */
    BY_POSITION,
    /** It is there in place of values that nothing uses. */
    UNUSED
  }

  /**
   * Returns the columns of {@code table} that {@code options} name. By default the last column is
   * the value, and all others except the ordering columns are indices. Beside indices that are
   * named, it is the last that has no other role, or else the last that is no index.
   */
  static SliceOrdinals of(TableArgument table, TensorOptions options) {
    List<Integer> orderBy = table.orderedBy(options.orderBy());
    int columns = table.columns().size();
    List<Integer> named =
        options.indexColumns().orElse(List.of()).stream().map(table::ordinal).toList();
    int value =
        options.valueColumn().map(table::ordinal).orElseGet(() -> value(columns, named, orderBy));
    List<Integer> indices =
        options
            .indexColumns()
            .map(names -> named)
            .orElseGet(
                () ->
                    IntStream.range(0, columns)
                        .filter(i -> i != value && !orderBy.contains(i))
                        .boxed()
                        .toList());
    if (columns == 0) {
      throw SqlErrors.noValueColumn(table.name());
    }
    if (options.valueColumn().isEmpty()) {
      requireNoPartition(table, value);
    }
    indices.forEach(ordinal -> requireInteger(table.columns().get(ordinal)));
    ValueFound found =
        options.valueColumn().isPresent() ? ValueFound.BY_NAME : ValueFound.BY_POSITION;
    return new SliceOrdinals(indices, value, orderBy, found);
  }

  /**
   * Checks a value column that was found by its position.
   *
   * @throws io.sparknd.tensor.SparkNdException if it partitions the table
   */
  static void requireNoPartition(TableArgument table, int value) {
    if (table.isPartitionColumn(value)) {
      throw SqlErrors.valueIsPartitionColumn(
          table.columns().get(value).name(), table.name(), table.names());
    }
  }

  /** Whether nothing uses the values. */
  boolean isValueUnused() {
    return valueFound == ValueFound.UNUSED;
  }

  private static int value(int columns, List<Integer> named, List<Integer> orderBy) {
    IntPredicate isNoIndex = ordinal -> !named.contains(ordinal);
    boolean mayOrder = named.isEmpty();
    return last(columns, isNoIndex.and(ordinal -> mayOrder || !orderBy.contains(ordinal)))
        .orElseGet(() -> last(columns, isNoIndex).orElse(columns - 1));
  }

  /** Returns the last column that passes. */
  private static OptionalInt last(int columns, IntPredicate isFree) {
    return IntStream.range(0, columns).filter(isFree).max();
  }

  static void requireInteger(Attribute column) {
    if (!InternalRows.isInteger(column.dataType())) {
      throw ClusterErrors.indexColumnNotInteger(column.name(), column.dataType().simpleString());
    }
  }

  /**
   * Checks that the index columns hold all indices of a tensor of {@code shape}, which a scatter
   * returns.
   *
   * @throws io.sparknd.tensor.SparkNdException if a type ends before its dimension
   */
  void requireRange(TableArgument table, Shape shape) {
    for (int d = 0; d < indices.size(); d++) {
      Attribute column = table.columns().get(indices.get(d));
      long largest = InternalRows.largestInteger(column.dataType());
      if (shape.dim(d) - 1 > largest) {
        throw SqlErrors.indexTypeTooNarrow(
            column.name(), column.dataType().simpleString(), largest, shape.dim(d) - 1, shape);
      }
    }
  }

  /** Returns the dtype in {@code options}, otherwise that of the value column's type. */
  DType dtype(TableArgument table, TensorOptions options) {
    Attribute column = table.columns().get(value);
    DataType type = SqlTypes.innermost(column.dataType());
    if (type instanceof CharType || type instanceof VarcharType) {
      throw SqlErrors.boundedString(column.name(), column.dataType().simpleString());
    }
    if (type instanceof StringType && !type.equals(DataTypes.StringType)) {
      throw SqlErrors.collatedColumn(column.name(), column.dataType().simpleString());
    }
    SqlTypes.requireParts(column.name(), column.dataType());
    return options
        .dtype()
        .or(() -> SqlTypes.dtype(type))
        .orElseThrow(() -> SqlErrors.noDTypeFor(column.name(), column.dataType().simpleString()));
  }

  /**
   * Checks that the table's columns hold slices of a tensor of {@code shape}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the value column of {@code table} does not hold
   *     slices of {@code shape}
   */
  void requireSlices(TableArgument table, DType dtype, Shape shape) {
    requireRank(table, shape);
    requireValues(table, dtype, shape);
  }

  /**
   * As {@link #requireSlices} if {@code shape} is known to be right, so that the error names the
   * value column.
   */
  void requireValues(TableArgument table, DType dtype, Shape shape) {
    Attribute column = table.columns().get(value);
    Shape slice = Indexing.tuples().plan(shape, Shape.of(0, indices.size())).slice();
    SqlTypes.requireSlices(column.name(), column.dataType(), dtype, slice);
  }

  /**
   * Checks the rank of the tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if the columns of {@code table} belong to a tensor
   *     of another rank than {@code shape}
   */
  void requireRank(TableArgument table, Shape shape) {
    Attribute column = table.columns().get(value);
    int levels = levels(column.dataType());
    int rank = shape.rank() - indices.size();
    boolean flat = levels == 1 && rank > 1;
    if (rank != levels && !flat) {
      throw SqlErrors.shapeOfAnotherRank(
          shape,
          table.name(),
          indices.stream().map(ordinal -> table.columns().get(ordinal).name()).toList(),
          column.name(),
          column.dataType().simpleString(),
          indices.size() + levels);
    }
  }

  private static int levels(DataType type) {
    return type instanceof ArrayType array ? 1 + levels(array.elementType()) : 0;
  }

  /**
   * Returns {@code shape} with slices of one dimension if the value column of {@code table} is a
   * flat array, so that results have the same form.
   */
  Shape shapeAsStored(TableArgument table, Shape shape) {
    int depth = indices.size();
    boolean isFlat =
        shape.rank() - depth > 1
            && table.columns().get(value).dataType() instanceof ArrayType array
            && !(array.elementType() instanceof ArrayType);
    return isFlat ? shape.first(depth).concat(Shape.of(shape.from(depth).elements())) : shape;
  }

  /** Returns the columns in a Dataset whose columns are {@code c0, c1, ...}. */
  TensorColumns columns() {
    return new TensorColumns(names(indices), name(value), names(orderBy));
  }

  private static List<String> names(List<Integer> ordinals) {
    List<String> names = new ArrayList<>();
    ordinals.forEach(ordinal -> names.add(name(ordinal)));
    return names;
  }

  static String name(int ordinal) {
    return "c" + ordinal;
  }

  /**
   * Returns the tensor whose table is the first of {@code inputs}.
   *
   * @param missing the element of slices without a row; null for zero
   */
  TableTensor over(OperationInputs inputs, DType dtype, Shape shape, @Nullable Object missing) {
    Optional<Dataset<Row>> indexRows =
        inputs.indices().map(rows -> rows.get().toDF(names(indices).toArray(String[]::new)));
    return new TableTensor(inputs.first(), columns(), dtype, shape, missing, indexRows);
  }

  /**
   * Returns the shape in {@code options}, otherwise the property of {@code table}.
   *
   * @throws io.sparknd.tensor.SparkNdException if neither has one
   */
  static Shape shape(TableArgument table, TensorOptions options) {
    return options
        .shape()
        .or(table::shape)
        .orElseThrow(
            () ->
                table.hasProperties()
                    ? SqlErrors.tableHasNoShape(table.name(), table.names())
                    : SqlErrors.queryHasNoShape(table.name(), table.names()));
  }
}
