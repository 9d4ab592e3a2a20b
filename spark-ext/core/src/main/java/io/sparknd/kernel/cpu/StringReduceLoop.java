/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/** Reductions of string slices: an update is appended, or replaces a larger or smaller element. */
final class StringReduceLoop {
  private StringReduceLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case ADD ->
          (blocks, at, updates, units) -> add((String[][]) blocks, at, (String[]) updates, units);
      case MIN, FMIN ->
          (blocks, at, updates, units) ->
              extreme((String[][]) blocks, at, (String[]) updates, units, -1);
      case MAX, FMAX ->
          (blocks, at, updates, units) ->
              extreme((String[][]) blocks, at, (String[]) updates, units, 1);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  private static void add(String[][] blocks, SliceAddresses at, String[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      String[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = target[p + j].concat(updates[q + j]);
      }
    }
  }

  /**
   * Keeps the smaller or larger strings.
   *
   * @param sign -1 for the smaller, 1 for the larger
   */
  private static void extreme(
      String[][] blocks, SliceAddresses at, String[] updates, int units, int sign) {
    for (int i = 0; i < at.count; i++) {
      String[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        if (sign * compare(updates[q + j], target[p + j]) > 0) {
          target[p + j] = updates[q + j];
        }
      }
    }
  }

  /**
   * Compares by code points, which is the order of the UTF-8 bytes. {@link String#compareTo} puts
   * surrogates, which are parts of larger code points, before U+E000 to U+FFFF.
   */
  private static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char c = a.charAt(i);
      char d = b.charAt(i);
      if (c != d) {
        boolean inOrder = Character.isSurrogate(c) == Character.isSurrogate(d);
        return inOrder ? c - d : Character.isSurrogate(c) ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }
}
