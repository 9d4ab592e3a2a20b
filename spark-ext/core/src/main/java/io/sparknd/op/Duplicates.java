/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.util.Locale;

/** What happens when several updates name the same slice. */
public enum Duplicates {
  /** The updates apply one after the other in the row-major order of the indices; the default. */
  IN_ORDER,
  /** The call fails and names the first update that repeats a slice. */
  ERROR;

  /**
   * Returns the policy of this name: {@code in_order} or {@code error}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Duplicates named(String name) {
    return OptionNames.<Duplicates>of("duplicates")
        .and("in_order", IN_ORDER)
        .and("error", ERROR)
        .find(name);
  }

  /** Returns the name in lower case, such as {@code in_order}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
