/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.step.ShardFunction;

/**
 * The configuration of a training of a model, which {@link #run()} executes. Instances are
 * immutable; each setter returns another.
 *
 * <p>Steps are those of {@link Training}, of all tables in the same tasks and shuffles. Dense
 * parameters are sent to every shard in every step. Gradients are summed in shard order, and each
 * optimizer applies them once: weights and parameters are bit-identical at every number of
 * partitions, even if tasks fail or run twice.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class ModelTraining<B> extends TrainingSettings<EmbeddingModel, ModelTraining<B>> {
  private final EmbeddingModel model;
  private final Batches<B> batches;
  private final ModelStep<B> step;

  ModelTraining(EmbeddingModel model, Batches<B> batches, ModelStep<B> step) {
    this(model, batches, step, defaults(model.spark()));
  }

  private ModelTraining(
      EmbeddingModel model,
      Batches<B> batches,
      ModelStep<B> step,
      TrainingPlan<EmbeddingModel> plan) {
    super(plan);
    this.model = model;
    this.batches = batches;
    this.step = step;
  }

  @Override
  ModelTraining<B> with(TrainingPlan<EmbeddingModel> other) {
    return new ModelTraining<>(model, batches, step, other);
  }

  /**
   * Evaluates the model after the steps that are multiples of {@code everySteps}, counted since the
   * model was created, and after the last step. {@link TrainedModel#history} has the values, and
   * listeners receive them.
   *
   * @param everySteps at least 1, and a multiple of {@link #stepsPerJob}
   */
  public ModelTraining<B> validate(int everySteps, ModelValidation validation) {
    return with(plan().with(atLeastOne("everySteps", everySteps), validation::evaluate));
  }

  /**
   * Runs the training. The trained model is unchanged.
   *
   * @return the new version and the completed steps
   * @throws io.sparknd.tensor.SparkNdException as {@link Training#run}; also if the step names a
   *     table that the model lacks
   */
  public TrainedModel run() {
    return trained(TrainingRun.run(plan(), new ModelOperations(), model, batches, function()));
  }

  /**
   * Runs the training from its last complete checkpoint, or from the beginning if there is none, as
   * {@link Training#resume} does.
   *
   * @return the new version, the steps of this run, and the validations of both
   */
  public TrainedModel resume() {
    return trained(TrainingRun.resume(plan(), new ModelOperations(), model, batches, function()));
  }

  private ShardFunction<B> function() {
    return new ModelFunction<>(model.spec(), step);
  }

  private static TrainedModel trained(TrainingResult<EmbeddingModel> result) {
    return new TrainedModel(
        result.version(),
        result.history(),
        result.best().map(best -> new BestModel(best.version(), best.validation())));
  }
}
