/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.sql.internal.SqlErrors;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Attribute;

/**
 * The times of the rows of a call.
 *
 * @param ordinal ordinal of the column with the times
 * @param how names the column as the call does
 */
record RowTimes(int ordinal, AsOf how) implements Serializable {
  /**
   * Finds the column of times in the rows of a call.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is missing, ambiguous or of another type
   */
  static RowTimes of(TableArgument rows, AsOf how) {
    int ordinal = rows.ordinal(how.time());
    Attribute column = rows.columns().get(ordinal);
    if (!SqlTypes.isTime(column.dataType())) {
      throw SqlErrors.timeColumnType(column.name(), column.dataType().simpleString());
    }
    return new RowTimes(ordinal, how);
  }

  /** Returns how the times are used, with the name that the column has in the rows of a plan. */
  AsOf named() {
    return new AsOf(SliceOrdinals.name(ordinal), how.clock(), how.expired());
  }

  /** Returns the clock by its name in SQL. */
  String clock() {
    return switch (how.clock()) {
      case COMMIT_TIME -> "commit";
      case VALID_TIME -> "valid";
      case NONE -> "none";
    };
  }
}
