/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/** The name of an error condition, or of one of the errors that it groups. */
public sealed interface ConditionName permits ErrorCondition, SubCondition {
  /** As handlers of SQL scripts name it: {@code SPARKND_X}, or {@code SPARKND_X.Y}. */
  String fullName();

  /** The five characters by which SQL knows this class of errors. */
  String sqlState();
}
