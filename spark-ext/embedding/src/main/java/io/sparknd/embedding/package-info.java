/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Distributed training of embeddings. Each partition of a table stores rows of {@code [rows, dim]}
 * together with their optimizer state. The shards of a mini-batch request rows from the partitions,
 * compute gradients in tasks, and send them back. A step is one Spark job, or in local mode a part
 * of one; no server besides the executors is needed.
 */
@NullMarked
package io.sparknd.embedding;

import org.jspecify.annotations.NullMarked;
