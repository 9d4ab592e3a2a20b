/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

/** What the levels of one row say, which may lie in several pages: whether it is a slice. */
final class RowLevels {
  private final LeafColumn leaf;
  private final int present;
  private int length;
  private boolean isNull;
  private boolean hasNullInside;
  private boolean isRagged;

  RowLevels(LeafColumn leaf) {
    this.leaf = leaf;
    this.present = leaf.column().getMaxDefinitionLevel();
  }

  /** Begins a row, whose first definition level is {@code definition}. */
  void begin(int definition) {
    length = 0;
    isNull = definition == 0 && present > 0 && !leaf.emptyLevels().contains(0);
    hasNullInside = false;
    isRagged = false;
  }

  /** Begins a row of which a whole slice was read. */
  void beginWhole() {
    begin(present);
    length = leaf.elements();
  }

  /**
   * Adds levels {@code from} to {@code to - 1} of a page.
   *
   * @return whether the row may be a slice yet
   */
  boolean add(int[] repetitions, int[] definitions, int from, int to) {
    for (int i = from; i < to; i++) {
      boolean isEmpty = definitions[i] < present && leaf.emptyLevels().contains(definitions[i]);
      hasNullInside |= definitions[i] < present && !isEmpty;
      isRagged |= length < leaf.elements() && repetitions[i] != leaf.pattern().level(length);
      length += isEmpty ? 0 : 1;
    }
    return !hasNullInside && !isRagged && length <= leaf.elements();
  }

  boolean isNull() {
    return isNull;
  }

  boolean hasNullInside() {
    return hasNullInside;
  }

  boolean isRagged() {
    return isRagged;
  }

  /** Returns the number of elements so far. */
  int length() {
    return length;
  }
}
