/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal;

import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import java.util.Optional;

/** The argument {@code include_self} of scatters in SQL, as PyTorch's. */
public final class IncludeSelfArgument {
  public static final String NAME = "include_self";

  /** The text of {@code DESCRIBE FUNCTION EXTENDED}. */
  public static final String MEANING =
      "true (default): the element counts as the first value of the reduction; false: the first "
          + "update replaces it";

  private IncludeSelfArgument() {}

  /**
   * Returns {@code how} with the argument of a call.
   *
   * @param function that is called, for messages
   * @param given empty for the default
   * @throws io.sparknd.tensor.SparkNdException if it is false, and updates replace elements anyway
   */
  public static Scatter apply(String function, Scatter how, Optional<Boolean> given) {
    if (given.orElse(true)) {
      return how;
    }
    if (how.reduction() == Reduction.NONE) {
      throw SqlErrors.wrongConstant(
          function,
          NAME,
          false,
          "true with reduction 'none', whose last update replaces the element");
    }
    return how.withSelf(IncludeSelf.EXCLUDED);
  }
}
