/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.ClusterErrors;
import io.sparknd.cluster.SqlTypes;
import io.sparknd.cluster.TableTensor;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.op.Indexing;
import io.sparknd.sql.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/**
 * A table of slices: where its columns are, outermost index first.
 *
 * @param orderBy columns that order slices of one index
 * @param valueFound what {@code value} is known by
 */
record SliceTable(List<Integer> indices, int value, List<Integer> orderBy, ValueFound valueFound)
    implements Serializable {

  /** How it is known which column is the value. */
  enum ValueFound {
    BY_NAME,
    /** It is the last one. */
    BY_POSITION
  }

  /**
   * The columns of {@code table}: those of {@code options}, else the last is the value, and all but
   * it and the ordering ones are indices.
   */
  static SliceTable of(TableArgument table, TensorOptions options) {
    List<Integer> orderBy = options.orderBy().stream().map(table::ordinal).toList();
    int columns = table.columns().size();
    List<Integer> named =
        options.indexColumns().orElse(List.of()).stream().map(table::ordinal).toList();
    int value =
        options
            .valueColumn()
            .map(table::ordinal)
            .orElseGet(() -> last(columns, ordinal -> !named.contains(ordinal)));
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
    if (options.valueColumn().isEmpty() && table.isPartitionColumn(value)) {
      throw SqlErrors.valueIsPartitionColumn(
          table.columns().get(value).name(), table.name(), table.names());
    }
    indices.forEach(ordinal -> requireInteger(table.columns().get(ordinal)));
    ValueFound found =
        options.valueColumn().isPresent() ? ValueFound.BY_NAME : ValueFound.BY_POSITION;
    return new SliceTable(indices, value, orderBy, found);
  }

  /** The last column of those that pass; the last of all where none does. */
  private static int last(int columns, IntPredicate isFree) {
    return IntStream.range(0, columns).filter(isFree).max().orElse(columns - 1);
  }

  static void requireInteger(Attribute column) {
    if (!InternalRows.isInteger(column.dataType())) {
      throw ClusterErrors.indexColumnNotInteger(column.name(), column.dataType().simpleString());
    }
  }

  /** The dtype asked for, else that of the value column of {@code table}. */
  DType dtype(TableArgument table, TensorOptions options) {
    Attribute column = table.columns().get(value);
    DataType element = column.dataType();
    while (element instanceof ArrayType array) {
      element = array.elementType();
    }
    DataType type = element;
    return options
        .dtype()
        .or(() -> SqlTypes.dtype(type))
        .orElseThrow(() -> SqlErrors.noDTypeFor(column.name(), column.dataType().simpleString()));
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the value column of {@code table} holds no slices
   *     of {@code shape}
   */
  void requireSlices(TableArgument table, DType dtype, Shape shape) {
    requireRank(table, shape);
    requireValues(table, dtype, shape);
  }

  /** As {@link #requireSlices} where {@code shape} is known to be right: the values are blamed. */
  void requireValues(TableArgument table, DType dtype, Shape shape) {
    Attribute column = table.columns().get(value);
    Shape slice = Indexing.tuples().plan(shape, Shape.of(0, indices.size())).slice();
    SqlTypes.requireSlices(column.name(), column.dataType(), dtype, slice);
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the columns of {@code table} are those of a
   *     tensor of another rank than {@code shape}
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

  /** Whether the value column of {@code table} is one array where slices have more dimensions. */
  boolean isFlat(TableArgument table, Shape shape) {
    return shape.rank() - indices.size() > 1
        && table.columns().get(value).dataType() instanceof ArrayType array
        && !(array.elementType() instanceof ArrayType);
  }

  /** The columns in a Dataset whose columns are {@code c0, c1, ...}. */
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

  /** The tensor whose table is the first of {@code inputs}. */
  TableTensor over(OperationInputs inputs, DType dtype, Shape shape) {
    Optional<Dataset<Row>> indexRows =
        inputs.indices().map(rows -> rows.toDF(names(indices).toArray(String[]::new)));
    return new TableTensor(inputs.first(), columns(), dtype, shape, null, indexRows);
  }

  /** The shape asked for, else the one that {@code table} has as its property. */
  static Shape shape(TableArgument table, TensorOptions options) {
    Optional<Shape> shape = options.shape().or(table::shape);
    return shape.orElseThrow(() -> SqlErrors.tableHasNoShape(table.name(), table.names()));
  }
}
