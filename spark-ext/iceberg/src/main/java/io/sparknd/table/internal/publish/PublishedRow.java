/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.cell.Cells;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row for an online store.
 *
 * @param key values of the key columns in Spark's internal form
 * @param cells cells of the variables; null if the row is to be deleted
 * @param slot the row's slot in the cells
 */
record PublishedRow(Object[] key, @Nullable List<Cells> cells, int slot) {}
