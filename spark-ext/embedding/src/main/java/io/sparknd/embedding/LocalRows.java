/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;

/**
 * The rows of a table that a {@link LocalShard} requested. Their owners write them.
 *
 * @param rows {@code [count, dim]}; empty if they do not fit into memory
 */
record LocalRows(float[] rows, List<OwnerRows> byOwner) implements ShardRows {}
