/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rows in. The rows of a Dataset are read on executors, by row or by columnar batch, as index
 * columns and values; index tuples become offsets. Out come {@link
 * io.sparknd.cluster.rows.UpdateChunk}s in the order of the rows, and {@link
 * io.sparknd.cluster.rows.RowErrors} of rows that cannot be used, of which the first is named.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.rows;
