/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import org.jspecify.annotations.Nullable;

/**
 * Updates of one variable, in the order in which they apply.
 *
 * @param values the values; an absent one changes nothing
 * @param order the order of each value; null if the reduction has none
 * @param slots slots of the targets; the first {@code count} are valid
 */
public record CellUpdates(Cells values, @Nullable Cells order, int[] slots, int count) {}
