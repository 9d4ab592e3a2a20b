/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal;

import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import java.util.Locale;

/** Names in SQL of what Java calls by other names. Without classes of Spark, for its clients. */
public final class CallNames {
  private CallNames() {}

  /** Returns the name of the table function that scatters into a tensor by {@code reduction}. */
  public static String tensorScatter(Reduction reduction) {
    return "tensor_scatter_nd_" + (reduction == Reduction.NONE ? "update" : reduction.toString());
  }

  /**
   * Returns the value of the argument {@code negative}, as {@link NegativeIndices#named} reads it.
   */
  public static String negative(NegativeIndices policy) {
    return policy == NegativeIndices.OUT_OF_BOUNDS ? "oob" : policy.name().toLowerCase(Locale.ROOT);
  }
}
