/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import java.math.BigInteger;

/** The fill values of JAX's {@code get} without a {@code fill_value}, which the dtype decides. */
enum JaxFill {
  DEFAULT;

  /** Returns the value for a tensor of {@code dtype}. */
  Object value(DType dtype) {
    int bits = dtype.bytes() * 8;
    return switch (dtype.kind()) {
      case BOOL -> true;
      case SIGNED -> BigInteger.ONE.shiftLeft(bits - 1).negate();
      case UNSIGNED -> BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
      case FLOAT -> Double.NaN;
      case COMPLEX -> new Complex(Double.NaN, 0);
      case STRING -> "";
    };
  }

  @Override
  public String toString() {
    return "JAX's default";
  }
}
