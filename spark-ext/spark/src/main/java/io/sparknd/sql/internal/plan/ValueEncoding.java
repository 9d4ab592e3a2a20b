/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Gather;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DecimalType;

/**
 * How a call represents its values as elements of a tensor. There is no decimal dtype: a call on
 * decimals works on int64 between two projections.
 */
sealed interface ValueEncoding permits ValueEncoding.Plain, DecimalEncoding {
  /**
   * Returns the encoding of a call.
   *
   * @param decimal the decimal type of the tensor's elements; empty for all other types
   * @param units the int64 encoding of a decimal type
   * @param shape the shape of the tensor
   */
  static ValueEncoding of(
      Optional<DecimalType> decimal,
      Function<DecimalType, DecimalUnits> units,
      Supplier<Shape> shape) {
    return decimal.isEmpty()
        ? new Plain()
        : new DecimalEncoding(units.apply(decimal.get()), shape.get());
  }

  /** Returns a table with encoded values. */
  TableArgument encoded(TableArgument table, SliceOrdinals columns);

  /** Returns the options of a call on encoded values. */
  TensorOptions options(TensorOptions options);

  /** Returns a gather with an encoded fill value. */
  Gather encoded(Gather how);

  /**
   * Decodes the slices in the last column of {@code query}.
   *
   * @param indices index columns of {@code query}, for messages
   */
  LogicalPlan decoded(LogicalPlan query, List<Integer> indices);

  /** Values whose type has a dtype; nothing is converted. */
  record Plain() implements ValueEncoding {
    @Override
    public TableArgument encoded(TableArgument table, SliceOrdinals columns) {
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
    public LogicalPlan decoded(LogicalPlan query, List<Integer> indices) {
      return query;
    }
  }
}
