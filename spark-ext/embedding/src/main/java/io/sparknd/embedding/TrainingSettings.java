/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.TrainingErrors;
import org.apache.spark.sql.SparkSession;

/**
 * The settings that trainings of tables and of models share. Instances are immutable; each setter
 * returns another.
 *
 * @param <V> what is trained: a table or a model
 * @param <T> the training
 */
public abstract sealed class TrainingSettings<V, T extends TrainingSettings<V, T>>
    permits Training, ModelTraining {
  /**
   * In local mode every job cuts the lineage: a cut copies nothing there, and each task carries the
   * lineage.
   */
  private static final int LOCAL_JOBS_PER_CUT = 1;

  private final TrainingPlan<V> plan;

  TrainingSettings(TrainingPlan<V> plan) {
    this.plan = plan;
  }

  /** Returns the plan of a training without settings. */
  static <V> TrainingPlan<V> defaults(SparkSession spark) {
    boolean isLocal = spark.sparkContext().isLocal();
    return TrainingPlan.of(isLocal ? LOCAL_JOBS_PER_CUT : VersionLineage.CHECKPOINT_INTERVAL);
  }

  /** Returns the same training with other settings. */
  abstract T with(TrainingPlan<V> other);

  final TrainingPlan<V> plan() {
    return plan;
  }

  /**
   * Sets the number of mini-batches to train with.
   *
   * @param count at least 1; 1 by default
   */
  public final T steps(int count) {
    return with(plan.withSteps(atLeastOne("steps", count)));
  }

  /**
   * Allows several mini-batches per job. Their gradients are computed from the rows at the
   * beginning of the job and applied one mini-batch after the other. A job has a fixed cost, so
   * small mini-batches gain most. A row that many of them touch learns from gradients up to {@code
   * count - 1} steps old. In local mode one Spark job runs many such jobs, and little is gained.
   *
   * <p>Jobs begin at steps that are multiples of {@code count}, whatever step this training begins
   * at. If a training ends at such a step and is resumed later, it has the same bits as an
   * uninterrupted one. If it ends between two of them, it does not: the mini-batches after the end
   * see newer rows.
   *
   * @param count at least 1; 1 by default
   */
  public final T stepsPerJob(int count) {
    return with(plan.withStepsPerJob(atLeastOne("stepsPerJob", count)));
  }

  /**
   * Sets how often a version is cut off from its lineage. If the Spark context has a checkpoint
   * directory, the cut is a checkpoint there. Otherwise it consists of copies in the memory and on
   * the disks of executors: two on a cluster, one in local mode. Blocks that a lost executor held
   * are recomputed from the last cut.
   *
   * @param jobs from 1 to 40, larger values count as 40; 40 by default, 1 in local mode
   */
  public final T checkpointEvery(int jobs) {
    int most = Math.min(VersionLineage.CHECKPOINT_INTERVAL, atLeastOne("checkpointEvery", jobs));
    return with(plan.withJobsPerCut(most));
  }

  /** Adds a listener. Progress is also logged every ten seconds, with or without listeners. */
  public final T reportTo(TrainingListener listener) {
    return with(plan.with(listener));
  }

  /** Stops before the last step if validations no longer improve. Requires {@code validate}. */
  public final T stopEarly(EarlyStopping rule) {
    return with(plan.with(rule));
  }

  /**
   * Keeps the version with the best validation open, as {@link TrainedEmbedding#best} or {@link
   * TrainedModel#best}. Requires {@code validate}. Costs the memory of a second version.
   */
  public final T keepBest() {
    return with(plan.with(TrainingPlan.Best.KEPT));
  }

  /**
   * Saves what is trained, with its validations and the best version if that is kept. After the
   * driver was lost, {@code resume} goes on from there.
   *
   * @param checkpoints steps between them are a multiple of {@link #stepsPerJob}
   */
  public final T saveCheckpoints(TrainingCheckpoints checkpoints) {
    return with(plan.with(checkpoints));
  }

  static int atLeastOne(String name, int count) {
    if (count < 1) {
      throw TrainingErrors.badTraining(name, count);
    }
    return count;
  }
}
