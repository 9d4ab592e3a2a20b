/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/** The name of an error condition or of one of its subconditions. */
public sealed interface ConditionName permits ErrorCondition, SubCondition {
  /** The name used in SQL script handlers: {@code SPARKND_X}, or {@code SPARKND_X.Y}. */
  String fullName();

  /** The five-character SQLSTATE of the error. */
  String sqlState();
}
