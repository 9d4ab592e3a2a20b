/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.op.IndexPolicy;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/** What plans say of tensors. */
final class TensorText {
  /** Of a string in a row, as Spark's own estimates have it. */
  private static final int STRING_BYTES = 20;

  private TensorText() {}

  static double bytes(DType dtype, Shape shape) {
    int unit = dtype == DType.STRING ? STRING_BYTES : dtype.storage().bytes();
    return (double) shape.elements() * dtype.units() * unit;
  }

  static String show(IndexPolicy policy) {
    return "bad indices "
        + policy.bad()
        + ", negative "
        + policy.negative().name().toLowerCase(java.util.Locale.ROOT);
  }
}
