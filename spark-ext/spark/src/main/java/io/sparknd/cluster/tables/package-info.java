/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whole tensors as tables. Rows that are sorted already become partitions where they are read;
 * others are scattered. In: rows of index columns and a value; out: the blocks of a tensor, and
 * from those again one row a slice.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.tables;
