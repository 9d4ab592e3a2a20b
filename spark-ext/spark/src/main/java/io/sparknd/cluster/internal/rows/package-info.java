/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decodes the rows of a Dataset on executors. Index columns and values are read by row or by
 * columnar batch, and index tuples become offsets. Output: {@link
 * io.sparknd.cluster.internal.rows.NumberedRows}s in the order of the rows, and {@link
 * io.sparknd.cluster.internal.rows.RowErrors} of unusable rows, of which the first is reported.
 *
 * <p>Not for users.
 */
@NullMarked
package io.sparknd.cluster.internal.rows;

import org.jspecify.annotations.NullMarked;
