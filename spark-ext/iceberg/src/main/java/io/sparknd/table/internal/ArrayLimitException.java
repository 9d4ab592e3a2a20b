/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

/** Signals rows of a block whose keys, or values of one column, do not fit one array. */
public final class ArrayLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;
  private final long rows;

  /**
   * Creates an exception without stack trace.
   *
   * @param what what does not fit, in the plural
   * @param rows the least number of rows that are known to be too many
   */
  public ArrayLimitException(String what, long rows) {
    super(what + " of " + rows + " rows do not fit one array", null, false, false);
    this.what = what;
    this.rows = rows;
  }

  /**
   * Checks that rows fit one array.
   *
   * @param what what has to fit, in the plural
   * @param most the most rows that fit
   */
  public static void requireAtMost(String what, long rows, int most) {
    if (rows > most) {
      throw new ArrayLimitException(what, rows);
    }
  }

  public String what() {
    return what;
  }

  public long rows() {
    return rows;
  }
}
