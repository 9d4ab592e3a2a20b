/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.Cells;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rows of a block that differ between two snapshots.
 *
 * @param after cells of the later snapshot, by the ordinal of their column; only variables have any
 * @param rows the rows, ascending by key, but deleted rows after the others; to be read once
 */
public record BlockChanges(List<Cells> after, Stream<RowChange> rows) {}
