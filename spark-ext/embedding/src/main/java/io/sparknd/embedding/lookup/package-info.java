/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lists of ids to one row each. {@link io.sparknd.embedding.lookup.LookupCall} has all at hand;
 * {@link io.sparknd.embedding.lookup.RowLookup} has lists in the rows of a Dataset and a tensor in
 * partitions. Both add up with {@link io.sparknd.embedding.lookup.ListFold}.
 *
 * <p>Not for users.
 */
package io.sparknd.embedding.lookup;
