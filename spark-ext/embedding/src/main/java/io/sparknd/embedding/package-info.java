/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Embeddings that are trained where they are kept: rows of {@code [rows, dim]} and what their
 * optimizer remembers of each lie together in partitions. Mini-batches ask the partitions for rows,
 * compute gradients in tasks of their own, and send them back; one Spark job a step, and no server
 * beside the executors.
 */
package io.sparknd.embedding;
