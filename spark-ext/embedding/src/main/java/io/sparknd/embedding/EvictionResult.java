/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * The result of an eviction.
 *
 * @param table the new version
 * @param rows rows that were evicted
 */
public record EvictionResult(EmbeddingTable table, long rows) {}
