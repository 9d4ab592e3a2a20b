/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

/** Arrays of one element, over and over. */
final class Fill {
  private Fill() {}

  /**
   * Fills units {@code [0, end)} of {@code target}.
   *
   * @param element of {@code units} units
   */
  static void into(Object target, int end, Object element, int units) {
    if (end == 0) {
      return;
    }
    System.arraycopy(element, 0, target, 0, units);
    int done = units;
    while (done < end) {
      int more = Math.min(done, end - done);
      System.arraycopy(target, 0, target, done, more);
      done += more;
    }
  }
}
