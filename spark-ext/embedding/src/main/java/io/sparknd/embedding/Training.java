/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.fold.VersionLineage;
import io.sparknd.metrics.SparkNdMetric;
import java.util.ArrayList;
import java.util.List;

/**
 * A training that is yet to run. A value: each method returns another.
 *
 * <p>Every step, the shards of a mini-batch get the rows that they name, compute gradients in tasks
 * of their own, and send them to the partitions that own the rows. There the gradients of a row are
 * summed in the order of shards, and the optimizer updates each row that has one, once. The weights
 * are the same to the last bit at every number of partitions, whatever tasks fail or run twice.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Training<B> {
  /** Lineage travels with every task, and on one machine a cut copies nothing. */
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
   * @param count mini-batches to train with, at least 1; 1 unless given
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
   * Allows several mini-batches a job: their gradients are computed with the rows as they were when
   * the job began, and applied one mini-batch after the other. A job costs what it costs whatever
   * it does, so small mini-batches gain most; a row that many of them touch learns from gradients
   * that are up to {@code count - 1} steps old.
   *
   * <p>Jobs begin at the steps of the table that are multiples of {@code count}, whatever step this
   * training begins at. So a training that ends at such a step and goes on later has the bits of
   * one that does not end there. One that ends between two of them has not: the mini-batches after
   * the end see rows that are newer.
   *
   * @param count at least 1; 1 unless given
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
   * How often the table is cut off from the versions before it: by a checkpoint in the checkpoint
   * directory of the Spark context if it has one, else by copies in executors' memory and disk, two
   * where there are several machines. What an executor loses is computed again from there.
   *
   * @param jobs from 1 to 40; 40 unless given, 1 in local mode
   */
  public Training<B> checkpointEvery(int jobs) {
    int most = Math.min(VersionLineage.MOST_VERSIONS, atLeastOne("checkpointEvery", jobs));
    return new Training<>(table, batches, function, steps, stepsPerJob, most, listeners);
  }

  /** Tells {@code listener} of every step; the log has a line every ten seconds without one. */
  public Training<B> reportTo(TrainingListener listener) {
    List<TrainingListener> all = new ArrayList<>(listeners);
    all.add(listener);
    return new Training<>(
        table, batches, function, steps, stepsPerJob, jobsPerCheckpoint, List.copyOf(all));
  }

  private static int jobsPerCut(EmbeddingTable table) {
    return table.spark().sparkContext().isLocal()
        ? LOCAL_JOBS_PER_CUT
        : VersionLineage.MOST_VERSIONS;
  }

  private static int atLeastOne(String name, int count) {
    if (count < 1) {
      throw EmbeddingErrors.badTraining(name, count);
    }
    return count;
  }

  /**
   * Trains. The table that was trained stays as it was.
   *
   * @return the new version, and how it went
   * @throws io.sparknd.tensor.SparkNdException if a mini-batch names a row that the table lacks;
   *     whatever the step function throws fails the job. Also if a gradient is NaN or infinite,
   *     unless {@link EmbeddingSpec#withBadGradients} says otherwise
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
        tell(done.get(first + i));
      }
    }
    EmbeddingTable trained = table.next(loop.end(), table.steps() + steps, loop.versions());
    return new Trained(trained, done, seconds(start));
  }

  private void tell(TrainedStep step) {
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
