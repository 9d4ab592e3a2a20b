/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Converts tables to tensors and back. Sorted rows become partitions where they are read; others
 * are scattered. Input: rows of index columns and a value. Output: the blocks of a tensor, and from
 * those one row per slice.
 *
 * <p>Not for users.
 */
@NullMarked
package io.sparknd.cluster.internal.tables;

import org.jspecify.annotations.NullMarked;
