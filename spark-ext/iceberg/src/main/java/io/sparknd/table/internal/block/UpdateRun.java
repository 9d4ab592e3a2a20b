/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

/**
 * The updates of one block in one batch, in the order in which they apply.
 *
 * @param part number of the scatter in the commit
 * @param pieces piece numbers in the block; the first {@code count} are valid
 * @param rows rows of the payload; the first {@code count} are valid
 * @param bytes approximate memory of the run
 */
record UpdateRun(int part, long[] pieces, int[] rows, int count, Object payload, long bytes) {}
