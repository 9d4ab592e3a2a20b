/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * The version with the best validation of a training.
 *
 * @param table stays open; may be the last version
 */
public record BestVersion(EmbeddingTable table, ValidatedStep validation) {}
