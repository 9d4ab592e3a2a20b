/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Updates of one variable, in the order in which they apply.
 *
 * @param values the values; an absent one changes nothing
 * @param order the order of each value; null if the reduction has none
 * @param slots slots of the targets; the first {@code count} are valid
 * @param late receives the updates that came after their tile was evicted, and have no effect
 */
public record CellUpdates(
    Cells values, @Nullable Cells order, int[] slots, int count, BitSet late) {

  /** Creates updates of which none is late. */
  CellUpdates(Cells values, @Nullable Cells order, int[] slots, int count) {
    this(values, order, slots, count, new BitSet());
  }
}
