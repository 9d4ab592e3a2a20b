/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Exports of embedding tables. {@link io.sparknd.embedding.internal.export.OrderedRows} brings rows
 * to the driver, at most some 128 MiB at a time; a {@link
 * io.sparknd.embedding.internal.export.RowWriter} writes them to files of one format.
 *
 * <p>Internal; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.export;

import org.jspecify.annotations.NullMarked;
