/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Optional;

/**
 * The result of a training of a model.
 *
 * @param model the new version
 * @param best the version with the best validation, if {@link ModelTraining#keepBest} keeps it
 */
public record TrainedModel(
    EmbeddingModel model, TrainingHistory history, Optional<BestModel> best) {}
