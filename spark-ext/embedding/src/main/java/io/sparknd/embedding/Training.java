/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.metrics.SparkNdMetric;
import java.util.ArrayList;
import java.util.List;

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

  private static final double NANOS = 1e9;

  private final EmbeddingTable table;
  private final Batches<B> batches;
  private final StepFunction<B> function;
  private final int steps;
  private final int stepsPerJob;
  private final int jobsPerCheckpoint;
  private final List<TrainingListener> listeners;

  Training(EmbeddingTable table, Batches<B> batches, StepFunction<B> function) {
    this(table, batches, function, 1, 1, jobsPerCut(table), List.of(new TrainingLog()));
  }

  private Training(
      EmbeddingTable table,
      Batches<B> batches,
      StepFunction<B> function,
      int steps,
      int stepsPerJob,
      int jobsPerCheckpoint,
      List<TrainingListener> listeners) {
    this.table = table;
    this.batches = batches;
    this.function = function;
    this.steps = steps;
    this.stepsPerJob = stepsPerJob;
    this.jobsPerCheckpoint = jobsPerCheckpoint;
    this.listeners = listeners;
  }

  /**
   * Sets the number of mini-batches to train with.
   *
   * @param count at least 1; 1 by default
   */
  public Training<B> steps(int count) {
    return new Training<>(
        table,
        batches,
        function,
        atLeastOne("steps", count),
        stepsPerJob,
        jobsPerCheckpoint,
        listeners);
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
    return new Training<>(
        table,
        batches,
        function,
        steps,
        atLeastOne("stepsPerJob", count),
        jobsPerCheckpoint,
        listeners);
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
    return new Training<>(table, batches, function, steps, stepsPerJob, most, listeners);
  }

  /** Adds a listener. Progress is also logged every ten seconds, with or without listeners. */
  public Training<B> reportTo(TrainingListener listener) {
    List<TrainingListener> all = new ArrayList<>(listeners);
    all.add(listener);
    return new Training<>(
        table, batches, function, steps, stepsPerJob, jobsPerCheckpoint, List.copyOf(all));
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
   *     NaN or infinite, unless {@link EmbeddingSpec#withBadGradients} allows it
   */
  public Trained run() {
    try {
      return run(new TrainingLoop<>(table, batches, function, jobsPerCheckpoint));
    } finally {
      listeners.forEach(TrainingListener::ended);
    }
  }

  private Trained run(TrainingLoop<B> loop) {
    long start = System.nanoTime();
    List<TrainedStep> done = new ArrayList<>();
    loop.begin(job(0));
    for (int first = 0; first < steps; first += job(first).count()) {
      StepRange now = job(first);
      List<Loss> losses = loop.run(now, job(first + now.count()));
      double seconds = seconds(start);
      for (int i = 0; i < losses.size(); i++) {
        done.add(new TrainedStep(table.steps() + first + i, losses.get(i), seconds));
        notifyListeners(done.get(first + i));
      }
    }
    EmbeddingTable trained = table.next(loop.end(), table.steps() + steps, loop.versions());
    return new Trained(trained, done, seconds(start));
  }

  private void notifyListeners(TrainedStep step) {
    SparkNdMetric.TRAINING_STEPS.add(1);
    SparkNdMetric.TRAINING_EXAMPLES.add(step.loss().examples());
    listeners.forEach(listener -> listener.stepped(step, table.steps() + steps));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / NANOS;
  }

  private StepRange job(int first) {
    long step = table.steps() + first;
    int untilNextGroup = stepsPerJob - (int) (step % stepsPerJob);
    return new StepRange(step, Math.max(0, Math.min(untilNextGroup, steps - first)));
  }
}
