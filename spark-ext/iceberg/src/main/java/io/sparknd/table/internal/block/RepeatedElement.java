/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.tensor.Tensor;

/** Fills arrays with one repeated element or row. */
final class RepeatedElement {
  private RepeatedElement() {}

  /**
   * Fills units {@code [0, end)} of {@code target}, a whole number of rows, with an element or a
   * row.
   */
  static void into(Object target, int end, Tensor fill) {
    if (end == 0) {
      return;
    }
    int units = fill.elements() * fill.dtype().units();
    System.arraycopy(fill.array(), 0, target, 0, units);
    int done = units;
    while (done < end) {
      int more = Math.min(done, end - done);
      System.arraycopy(target, 0, target, done, more);
      done += more;
    }
  }
}
