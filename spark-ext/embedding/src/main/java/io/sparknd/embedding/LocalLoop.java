/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.JointTasks;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.internal.spark.TaskTeam;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import java.util.concurrent.CancellationException;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;

/**
 * Trains in local mode by Spark jobs of half a second, each of one stage: its tasks take many steps
 * and pass rows and gradients by reference, see {@link LocalTask}. The bits are those of {@link
 * ShuffleLoop}, which goes on where the rows of the tables or of a mini-batch take too much memory.
 */
final class LocalLoop<B> implements TrainingLoop {
  /** The most partitions that all tasks of a job carry. */
  private static final int MAX_CARRIED = 10_000;

  private final LoopInputs<B> inputs;
  private final RetainedVersions retained;
  private final LocalLimits limits;

  /** The last version that is computed. */
  private JavaRDD<EmbeddingPartition> version;

  /** The version that a job computes; null between jobs. */
  private @Nullable JavaRDD<EmbeddingPartition> pending;

  /** Trains the rest of the steps; null if there are none. */
  private @Nullable ShuffleLoop<B> rest;

  private boolean isEnded;

  LocalLoop(LoopInputs<B> inputs, RetainedVersions retained, LocalLimits limits) {
    this.inputs = inputs;
    this.retained = retained;
    this.limits = limits;
    this.version = inputs.begin();
  }

  /**
   * Returns whether Spark runs every task once, there is a partition for every core that shards
   * use, and partitions are few.
   */
  static boolean isPossible(LoopInputs<?> inputs) {
    int partitions = inputs.partitions();
    int shards = inputs.shards().getNumPartitions();
    return PartitionTasks.runOnce(inputs.context().sc())
        && partitions >= Math.min(shards, tasksAtOnce(inputs))
        && (long) partitions * (partitions + shards) <= MAX_CARRIED;
  }

  private static int tasksAtOnce(LoopInputs<?> inputs) {
    SparkContext context = inputs.context().sc();
    int coresPerTask = context.conf().getInt("spark.task.cpus", 1);
    return Math.max(1, context.defaultParallelism() / coresPerTask);
  }

  @Override
  public void train(long step, StepRanges jobs, Progress progress) {
    try {
      long at = step;
      boolean fits = bytes() <= limits.partitionBytes();
      while (fits && at < jobs.stop()) {
        LocalRun run = run(at, jobs);
        run.report(progress);
        at += run.steps();
        fits = run.isFitting();
      }
      if (at < jobs.stop()) {
        rest = new ShuffleLoop<>(inputs.from(version), retained, 1);
        rest.train(at, jobs, progress);
      }
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Returns the bytes of the version, which is computed if it is not yet. */
  private long bytes() {
    return PartitionTasks.collected(PartitionTasks.of(version, new PartitionBytes())).stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private LocalRun run(long step, StepRanges jobs) {
    int expected = Math.min(inputs.partitions(), tasksAtOnce(inputs));
    LocalRun run =
        LocalRun.begun(
            new TaskTeam(expected),
            limits,
            inputs.partitions(),
            inputs.shards().getNumPartitions());
    try {
      PreviousVersion previous =
          version == inputs.begin() ? PreviousVersion.KEPT : PreviousVersion.TAKEN;
      LocalTask<B> task =
          new LocalTask<>(
              run.number(),
              inputs.tables(),
              inputs.keys(),
              inputs.function(),
              step,
              jobs,
              previous);
      pending = JointTasks.of(version, inputs.shards(), task);
      retained.retain(pending);
      await(pending);
      retained.releaseReplaced(pending);
      version = pending;
      pending = null;
      return run;
    } finally {
      // an interrupt of this thread does not end the tasks
      run.end(new CancellationException("the training has ended"));
    }
  }

  private static void await(JavaRDD<?> job) {
    try {
      PartitionTasks.run(job);
    } catch (Exception e) {
      if (e instanceof InterruptedException) { // Spark does not declare it
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while training", e);
      }
      throw e;
    }
  }

  @Override
  public JavaRDD<EmbeddingPartition> end() {
    if (rest != null) {
      return rest.end();
    }
    isEnded = true;
    return version;
  }

  @Override
  public int versions() {
    return retained.versionsSinceCut();
  }

  @Override
  public void close() {
    if (rest != null) {
      rest.close();
    } else if (!isEnded && pending != null) {
      retained.abandon(pending);
    } else if (!isEnded && version != inputs.begin()) {
      retained.abandon(version);
    }
  }
}
