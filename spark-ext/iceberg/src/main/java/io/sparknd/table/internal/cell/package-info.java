/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Cells: the values of a column of a feature table in memory, some of which may be absent, and the
 * folds that reduce updates into them.
 */
@NullMarked
package io.sparknd.table.internal.cell;

import org.jspecify.annotations.NullMarked;
