/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import java.util.List;
import java.util.Optional;

/**
 * Which columns a gather from a feature table adds to rows. Immutable; each call returns a new
 * instance.
 *
 * @param names names of variables, and of windows if rows have times; empty for all
 * @param foundColumn name of a last column that says whether the key of each row is in the table;
 *     empty for no such column
 */
public record GatheredVariables(List<String> names, Optional<String> foundColumn) {
  public GatheredVariables {
    names = List.copyOf(names);
  }

  /** Returns all variables. */
  public static GatheredVariables all() {
    return of();
  }

  /** Returns some variables; all if none is named. */
  public static GatheredVariables of(String... names) {
    return new GatheredVariables(List.of(names), Optional.empty());
  }

  /**
   * Adds a last column of this name, a boolean that is never NULL: true if the table has the key of
   * the row, at the row's time if it has one; false if it has not, so that the variables have their
   * fill values, and if the key or the time is NULL or the snapshot of the time has expired.
   */
  public GatheredVariables withFoundColumn(String name) {
    return new GatheredVariables(names, Optional.of(name));
  }
}
