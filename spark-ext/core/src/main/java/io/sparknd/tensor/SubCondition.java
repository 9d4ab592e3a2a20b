/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

/** One of the errors that {@code group} is for. */
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
