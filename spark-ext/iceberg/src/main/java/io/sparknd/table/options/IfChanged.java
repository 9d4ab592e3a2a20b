/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;

/** What a scatter does if another commit wins the race. */
public enum IfChanged {
  /**
   * Blocks that the other commit changed are processed again on their new state. The table then
   * equals the scatters applied in commit order.
   */
  REDO,
  /**
   * As {@link #REDO}, but if the other commit changed the value of a row that the scatter updates,
   * the scatter fails.
   */
  FAIL;

  /**
   * Returns the policy of this name: {@code redo} or {@code fail}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static IfChanged named(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownValue("if_changed", name, "redo, fail"));
  }
}
