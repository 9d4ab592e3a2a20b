/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;

/**
 * The configuration of a training, which {@link #run()} executes. Instances are immutable; each
 * setter returns another.
 *
 * <p>In every step, the shards of a mini-batch fetch the rows that they name, compute gradients in
 * their own tasks, and send them to the partitions that own the rows. Each partition sums the
 * gradients of a row in shard order, and the optimizer updates each row that has a gradient once.
 * Weights are bit-identical at every number of partitions, even if tasks fail or run twice.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Training<B> {
  /**
   * In local mode every job cuts the lineage: a cut copies nothing there, and each task carries the
   * lineage.
   */
  private static final int LOCAL_JOBS_PER_CUT = 1;

  private final EmbeddingTable table;
  private final Batches<B> batches;
  private final StepFunction<B> function;
  private final TrainingPlan plan;

  Training(EmbeddingTable table, Batches<B> batches, StepFunction<B> function) {
    this(table, batches, function, TrainingPlan.of(jobsPerCut(table)));
  }

  private Training(
      EmbeddingTable table, Batches<B> batches, StepFunction<B> function, TrainingPlan plan) {
    this.table = table;
    this.batches = batches;
    this.function = function;
    this.plan = plan;
  }

  private Training<B> with(TrainingPlan other) {
    return new Training<>(table, batches, function, other);
  }

  /**
   * Sets the number of mini-batches to train with.
   *
   * @param count at least 1; 1 by default
   */
  public Training<B> steps(int count) {
    return with(plan.withSteps(atLeastOne("steps", count)));
  }

  /**
   * Allows several mini-batches per job. Their gradients are computed from the rows at the
   * beginning of the job and applied one mini-batch after the other. A job has a fixed cost, so
   * small mini-batches gain most. A row that many of them touch learns from gradients up to {@code
   * count - 1} steps old.
   *
   * <p>Jobs begin at table steps that are multiples of {@code count}, whatever step this training
   * begins at. If a training ends at such a step and is resumed later, it has the same bits as an
   * uninterrupted one. If it ends between two of them, it does not: the mini-batches after the end
   * see newer rows.
   *
   * @param count at least 1; 1 by default
   */
  public Training<B> stepsPerJob(int count) {
    return with(plan.withStepsPerJob(atLeastOne("stepsPerJob", count)));
  }

  /**
   * Sets how often the table is cut off from its lineage. If the Spark context has a checkpoint
   * directory, the cut is a checkpoint there. Otherwise it consists of copies in the memory and on
   * the disks of executors: two on a cluster, one in local mode. Blocks that a lost executor held
   * are recomputed from the last cut.
   *
   * @param jobs from 1 to 40, larger values count as 40; 40 by default, 1 in local mode
   */
  public Training<B> checkpointEvery(int jobs) {
    int most = Math.min(VersionLineage.CHECKPOINT_INTERVAL, atLeastOne("checkpointEvery", jobs));
    return with(plan.withJobsPerCut(most));
  }

  /** Adds a listener. Progress is also logged every ten seconds, with or without listeners. */
  public Training<B> reportTo(TrainingListener listener) {
    return with(plan.with(listener));
  }

  /**
   * Evaluates the table after the steps that are multiples of {@code everySteps}, counted since the
   * table was created, and after the last step. {@link Trained#validations} has the values, and
   * listeners receive them.
   *
   * @param everySteps at least 1, and a multiple of {@link #stepsPerJob}
   */
  public Training<B> validate(int everySteps, TrainingValidation validation) {
    return with(plan.with(atLeastOne("everySteps", everySteps), validation));
  }

  /** Stops before the last step if validations no longer improve. Requires {@link #validate}. */
  public Training<B> stopEarly(EarlyStopping rule) {
    return with(plan.with(rule));
  }

  /**
   * Keeps the version with the best validation open, as {@link Trained#best}. Requires {@link
   * #validate}. Costs the memory of a second version.
   */
  public Training<B> keepBest() {
    return with(plan.with(TrainingPlan.Best.KEPT));
  }

  /**
   * Saves the table while it is trained, with its validations and the best version if that is kept.
   * After the driver was lost, {@link #resume} goes on from there.
   *
   * @param checkpoints steps between them are a multiple of {@link #stepsPerJob}
   */
  public Training<B> saveCheckpoints(TrainingCheckpoints checkpoints) {
    return with(plan.with(checkpoints));
  }

  private static int jobsPerCut(EmbeddingTable table) {
    return table.spark().sparkContext().isLocal()
        ? LOCAL_JOBS_PER_CUT
        : VersionLineage.CHECKPOINT_INTERVAL;
  }

  private static int atLeastOne(String name, int count) {
    if (count < 1) {
      throw EmbeddingErrors.badTraining(name, count);
    }
    return count;
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
  public Trained run() {
    plan.check();
    TrainingCheckpoints checkpoints = plan.checkpoints();
    CheckpointStore store =
        checkpoints == null ? null : CheckpointStore.begun(table.spark(), checkpoints);
    return new TrainingRun<>(plan, table, batches, function, store).run();
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
  public Trained resume() {
    plan.check();
    TrainingCheckpoints checkpoints = plan.checkpoints();
    if (checkpoints == null) {
      throw EmbeddingErrors.noCheckpoints();
    }
    CheckpointStore store = CheckpointStore.resumed(table.spark(), checkpoints);
    TrainingRun<B> run = new TrainingRun<>(plan, table, batches, function, store);
    run.restore();
    return run.run();
  }
}
