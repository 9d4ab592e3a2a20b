/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.op.Gather;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * How a call represents its values as elements of a tensor. There is no dtype for decimals, times,
 * intervals and binary values: a call on these works on another dtype between two projections. So
 * do comparisons of strings, of which some may have no value.
 */
sealed interface ValueEncoding extends Serializable
    permits ValueEncoding.Plain, DecimalEncoding, MovedEncoding {
  /** The SQL type of uint64. */
  DecimalType UINT64 = new DecimalType(20, 0);

  /**
   * Returns the encoding of a gather.
   *
   * @param shape the shape of the tensor
   */
  static ValueEncoding ofGather(
      TableArgument params, SliceOrdinals columns, TensorOptions options, Supplier<Shape> shape) {
    return of(Reduction.NONE, params, columns, options, shape);
  }

  /**
   * Returns the encoding of a scatter.
   *
   * @param table that fixes the type of the elements
   * @param shape the shape of the tensor
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the type
   */
  static ValueEncoding of(
      Reduction reduction,
      TableArgument table,
      SliceOrdinals columns,
      TensorOptions options,
      Supplier<Shape> shape) {
    DataType element = EncodedColumn.element(table, columns);
    if (options.dtype().filter(dtype -> !isDefault(dtype, element)).isPresent()
        || element.equals(UINT64)) {
      return new Plain();
    }
    if (element instanceof DecimalType decimal) {
      return new DecimalEncoding(DecimalUnits.of(reduction, decimal), shape.get());
    }
    Optional<MovedType> moved = MovedType.of(element, reduction);
    return moved.isPresent() && !areSlices(table, columns, shape)
        ? MovedEncoding.of(moved.get(), reduction, shape.get())
        : new Plain();
  }

  /** Whether the dtype of the option is the one that the elements have without it. */
  private static boolean isDefault(DType dtype, DataType element) {
    return SqlTypes.dtype(element).equals(Optional.of(dtype));
  }

  /** Whether binary values are encoded slices, not elements. */
  private static boolean areSlices(
      TableArgument table, SliceOrdinals columns, Supplier<Shape> shape) {
    return table.columns().get(columns.value()).dataType() instanceof BinaryType
        && columns.indices().size() < shape.get().rank();
  }

  /** Returns the table of a tensor with encoded values. */
  TableArgument encodedTensor(TableArgument table, SliceOrdinals columns);

  /** Returns a table of updates with encoded values. */
  TableArgument encodedUpdates(TableArgument table, SliceOrdinals columns);

  /** Returns the options of a call on encoded values. */
  TensorOptions options(TensorOptions options);

  /** Returns a gather with an encoded fill value. */
  Gather encoded(Gather how);

  /** Returns the encoded element of slices without a row; null for the dtype's zero. */
  @Nullable Object missing();

  /**
   * Returns the element type as plans show it.
   *
   * @param dtype of encoded elements
   */
  String elements(DType dtype);

  /**
   * Decodes the slices in the last column of {@code query}.
   *
   * @param indices index columns of {@code query}, for messages
   */
  LogicalPlan decoded(LogicalPlan query, List<Integer> indices);

  /**
   * Checks that the results of a scatter have no error that the encoding adds.
   *
   * @param updates number of its updates
   * @throws io.sparknd.tensor.SparkNdException if these are too many
   */
  default void requireExact(Reduction reduction, long updates) {}

  /** Values whose type has a dtype; nothing is converted. */
  record Plain() implements ValueEncoding {
    @Override
    public TableArgument encodedTensor(TableArgument table, SliceOrdinals columns) {
      return table;
    }

    @Override
    public TableArgument encodedUpdates(TableArgument table, SliceOrdinals columns) {
      return table;
    }

    @Override
    public TensorOptions options(TensorOptions options) {
      return options;
    }

    @Override
    public Gather encoded(Gather how) {
      return how;
    }

    @Override
    public @Nullable Object missing() {
      return null;
    }

    @Override
    public String elements(DType dtype) {
      return dtype.toString();
    }

    @Override
    public LogicalPlan decoded(LogicalPlan query, List<Integer> indices) {
      return query;
    }
  }
}
