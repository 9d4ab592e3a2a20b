/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * The version of a model with the best validation of a training.
 *
 * @param model stays open; may be the last version
 */
public record BestModel(EmbeddingModel model, ValidatedStep validation) {}
