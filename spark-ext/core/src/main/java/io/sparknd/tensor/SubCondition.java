/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/** A named error within the condition {@code group}. */
record SubCondition(ErrorCondition group, String name) implements ConditionName {
  @Override
  public String fullName() {
    return group.fullName() + "." + name;
  }

  @Override
  public String sqlState() {
    return group.sqlState();
  }
}
