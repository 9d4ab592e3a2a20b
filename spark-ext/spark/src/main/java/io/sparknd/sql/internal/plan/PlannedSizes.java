/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.catalyst.expressions.AttributeMap$;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import scala.Option;
import scala.math.BigInt;

/** Estimates of sizes, and Spark's statistics of them, without columns. */
final class PlannedSizes {
  /** The size of a row beside its columns, as in Spark's own estimates. */
  static final int ROW_BYTES = 8;

  /** The size of a string in a row, as in Spark's own estimates. */
  private static final int STRING_BYTES = 20;

  private PlannedSizes() {}

  /** Returns the size of a tensor's elements in rows of Spark. */
  static double bytes(DType dtype, Shape shape) {
    int unit = dtype == DType.STRING ? STRING_BYTES : dtype.storage().bytes();
    return (double) shape.elements() * dtype.units() * unit;
  }

  static Statistics of(long bytes, Option<BigInt> rows) {
    return new Statistics(BigInt.apply(bytes), rows, AttributeMap$.MODULE$.empty(), false);
  }
}
