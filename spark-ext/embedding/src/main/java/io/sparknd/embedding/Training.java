/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * The configuration of a training of one table, which {@link #run()} executes. Instances are
 * immutable; each setter returns another.
 *
 * <p>In every step, the shards of a mini-batch fetch the rows that they name, compute gradients in
 * tasks, and send them to the partitions that own the rows. Each partition sums the gradients of a
 * row in shard order, and the optimizer updates each row that has a gradient once. Weights are
 * bit-identical at every number of partitions, even if tasks fail or run twice.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Training<B> extends TrainingSettings<EmbeddingTable, Training<B>> {
  private final EmbeddingTable table;
  private final Batches<B> batches;
  private final StepFunction<B> function;

  Training(EmbeddingTable table, Batches<B> batches, StepFunction<B> function) {
    this(table, batches, function, defaults(table.spark()));
  }

  private Training(
      EmbeddingTable table,
      Batches<B> batches,
      StepFunction<B> function,
      TrainingPlan<EmbeddingTable> plan) {
    super(plan);
    this.table = table;
    this.batches = batches;
    this.function = function;
  }

  @Override
  Training<B> with(TrainingPlan<EmbeddingTable> other) {
    return new Training<>(table, batches, function, other);
  }

  /**
   * Evaluates the table after the steps that are multiples of {@code everySteps}, counted since the
   * table was created, and after the last step. {@link TrainedEmbedding#validations} has the
   * values, and listeners receive them.
   *
   * @param everySteps at least 1, and a multiple of {@link #stepsPerJob}
   */
  public Training<B> validate(int everySteps, TrainingValidation validation) {
    return with(plan().with(atLeastOne("everySteps", everySteps), validation::evaluate));
  }

  /**
   * Runs the training. The trained table is unchanged.
   *
   * @return the new version and the completed steps
   * @throws io.sparknd.tensor.SparkNdException if a mini-batch names a row that the table lacks; an
   *     exception of the step function fails the job. Also if a gradient or an updated weight is
   *     NaN or infinite, unless {@link EmbeddingSpec#withBadGradients} allows it. Also if settings
   *     contradict each other, or {@link #saveCheckpoints} has a directory with checkpoints
   */
  public TrainedEmbedding run() {
    return trained(
        TrainingRun.run(
            plan(), new TableOperations(), table, batches, new OneTableFunction<>(function)));
  }

  /**
   * Runs the training from its last complete checkpoint, or from the beginning if there is none. If
   * table, mini-batches and settings are those of the training that was stopped, weights, optimizer
   * state and validations have the same bits as if it had not been stopped.
   *
   * <p>Of the table, steps and specification are compared; the optimizer is that of this table. A
   * version that was resumed has no deltas: {@link EmbeddingTable#save} it first.
   *
   * @return the new version, the steps of this run, and the validations of both
   * @throws io.sparknd.tensor.SparkNdException as {@link #run}; also without {@link
   *     #saveCheckpoints}, if a file is damaged, or if the checkpoints are of another table or of a
   *     training that began at another step
   */
  public TrainedEmbedding resume() {
    return trained(
        TrainingRun.resume(
            plan(), new TableOperations(), table, batches, new OneTableFunction<>(function)));
  }

  private static TrainedEmbedding trained(TrainingResult<EmbeddingTable> result) {
    TrainingHistory history = result.history();
    return new TrainedEmbedding(
        result.version(),
        history.steps(),
        history.validations(),
        result.best().map(best -> new BestVersion(best.version(), best.validation())),
        history.seconds());
  }
}
