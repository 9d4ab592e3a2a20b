/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;

/** What a scatter does where another commit was faster. */
public enum IfChanged {
  /**
   * The blocks that the other commit changed are done again on what it left, so that the table is
   * what the scatters make of it in the order of their commits.
   */
  REDO,
  /** As {@link #REDO}, unless the other commit changed a row that the scatter names: an error. */
  FAIL;

  /**
   * The policy of this name: {@code redo} or {@code fail}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static IfChanged named(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownWord("if_changed", name, "redo, fail"));
  }
}
