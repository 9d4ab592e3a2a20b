/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lookups that combine the rows of a list of ids into one row. {@link
 * io.sparknd.embedding.internal.lookup.LookupCall} runs on local tensors. {@link
 * io.sparknd.embedding.internal.lookup.RowLookup} runs on lists in the rows of a Dataset and a
 * partitioned tensor or embedding table. Both combine rows with {@link
 * io.sparknd.embedding.internal.lookup.ListFold}.
 *
 * <p>Internal; not part of the public API.
 */
@NullMarked
package io.sparknd.embedding.internal.lookup;

import org.jspecify.annotations.NullMarked;
