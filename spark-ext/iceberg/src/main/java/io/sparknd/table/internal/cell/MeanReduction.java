/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.reduction.CustomReduction;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The mean of doubles; its state is their sum and their number. */
final class MeanReduction implements CustomReduction {
  private static final long serialVersionUID = 1;

  @Override
  public StructType state(DataType variable) {
    if (!variable.equals(DataTypes.DoubleType)) {
      throw new IllegalArgumentException("a mean is a double");
    }
    return new StructType()
        .add("sum", DataTypes.DoubleType, true)
        .add("count", DataTypes.LongType, true);
  }

  @Override
  public @Nullable Object[] fold(@Nullable Object[] state, Object update) {
    Double sum = (Double) state[0];
    Long count = (Long) state[1];
    return sum == null || count == null
        ? new Object[] {update, 1L}
        : new Object[] {sum + (Double) update, count + 1};
  }

  @Override
  public Object result(@Nullable Object[] state) {
    double sum = (Double) Objects.requireNonNull(state[0]);
    return sum / (Long) Objects.requireNonNull(state[1]);
  }
}
