/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.reduction;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A custom reduction: how an update changes a state, and what value the state has. Values are those
 * of Spark's {@code Row}: boxed numbers, String, byte[], BigDecimal, {@code scala.collection.Seq},
 * {@code Row}. A date is a {@code java.time.LocalDate} and a timestamp an {@code Instant}, whatever
 * the session's settings are; returned ones may also be of {@code java.sql}. A value that its
 * column does not hold, such as a decimal of too many digits, is an error, with and without ANSI
 * mode.
 *
 * <p>Implementations have no fields that change: one object folds the updates of many keys.
 */
public interface CustomReduction extends Serializable {

  /**
   * Returns the columns in which the table stores the state. The column {@code NAME__FIELD} stores
   * field {@code FIELD} of variable {@code NAME}. If there are none, the variable's own value is
   * the state.
   *
   * @param variable type of the variable
   * @throws IllegalArgumentException if variables of this type cannot be reduced
   */
  default StructType state(DataType variable) {
    return new StructType();
  }

  /**
   * Returns the state after an update.
   *
   * @param state a value for each column of {@link #state}, null for what was never written;
   *     without such columns the variable's value, of what was never written its fill value, or
   *     null if it has none. Not to be modified
   * @param update not null
   */
  @Nullable Object[] fold(@Nullable Object[] state, Object update);

  /** Returns the variable's value; by default the first value of the state. */
  default @Nullable Object result(@Nullable Object[] state) {
    return state[0];
  }
}
