/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.List;

/**
 * The cells that a fold changes.
 *
 * @param values cells of the variable
 * @param state cells of its state columns
 */
public record CellTarget(Cells values, List<Cells> state) {}
