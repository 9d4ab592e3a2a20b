/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.spark.CachedPartitions;
import io.sparknd.cluster.internal.spark.ClosureBytes;
import io.sparknd.cluster.internal.spark.JointTasks;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.internal.spark.TaskTeam;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.step.StepRanges;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;

/**
 * Trains in local mode by Spark jobs of half a second, each of one stage: its tasks take many steps
 * and pass rows and gradients by reference, see {@link LocalTask}. The bits are those of {@link
 * ShuffleLoop}, which goes on where the rows of the tables or of a mini-batch take too much memory.
 */
public final class LocalLoop<B> implements TrainingLoop {
  private final LoopInputs<B> inputs;
  private final RetainedVersions retained;
  private final LocalLimits limits;
  private final LocalBuffers buffers;

  /** The last version that is computed. */
  private JavaRDD<EmbeddingPartition> version;

  /** The version that a job computes; null between jobs. */
  private @Nullable JavaRDD<EmbeddingPartition> pending;

  /** Trains the rest of the steps; null if there are none. */
  private @Nullable ShuffleLoop<B> rest;

  private boolean isEnded;

  public LocalLoop(LoopInputs<B> inputs, RetainedVersions retained, LocalLimits limits) {
    this.inputs = inputs;
    this.retained = retained;
    this.limits = limits;
    this.buffers =
        LocalBuffers.of(
            limits.rowBytes(), inputs.shards().getNumPartitions(), inputs.tables().size());
    this.version = inputs.begin();
  }

  /**
   * Returns whether Spark runs every task once, in classes that the driver has, too, and there is a
   * partition for every core that shards use.
   */
  public static boolean isPossible(LoopInputs<?> inputs) {
    SparkContext context = inputs.context().sc();
    int shards = inputs.shards().getNumPartitions();
    return PartitionTasks.runOnce(context)
        && !context.conf().getBoolean("spark.executor.userClassPathFirst", false)
        && inputs.partitions() >= Math.min(shards, PartitionTasks.atOnce(context));
  }

  @Override
  public void train(long step, StepRanges jobs, Progress progress) {
    long at = step;
    boolean fits = computed(this::bytes) <= limits.partitionBytes();
    while (fits && at < jobs.stop()) {
      long first = at;
      LocalRun run = computed(() -> run(first, jobs));
      run.report(progress);
      at += run.steps();
      fits = run.isFitting();
    }
    if (at < jobs.stop()) {
      buffers.release();
      rest = new ShuffleLoop<>(inputs.from(version), retained);
      rest.train(at, jobs, progress);
    }
  }

  private static <T> T computed(Supplier<T> job) {
    try {
      return job.get();
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Returns the bytes of the version, which is computed if it is not yet. */
  private long bytes() {
    return CachedPartitions.memoryBytes(version).orElseGet(this::computedBytes);
  }

  private long computedBytes() {
    return PartitionTasks.collected(PartitionTasks.of(version, new PartitionBytes())).stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private LocalRun run(long step, StepRanges jobs) {
    int members = Math.min(inputs.partitions(), PartitionTasks.atOnce(inputs.context().sc()));
    LocalRun run =
        LocalRun.begun(
            new TaskTeam(members),
            limits,
            buffers,
            JointTasks.partitions(version, inputs.shards()));
    try {
      pending = JointTasks.of(version, inputs.shards(), task(run, step, jobs));
      retained.retain(pending);
      PartitionTasks.run(pending);
      retained.releaseReplaced(pending);
      version = pending;
      pending = null;
      return run;
    } finally {
      // an interrupt of this thread does not end the tasks
      run.end(new CancellationException("the training has ended"));
    }
  }

  private LocalTask<B> task(LocalRun run, long step, StepRanges jobs) {
    return new LocalTask<>(
        run.number(),
        inputs.tables(),
        inputs.keys(),
        ClosureBytes.of(inputs.tables()),
        ClosureBytes.of(inputs.function()),
        step,
        jobs,
        version == inputs.begin() ? PreviousVersion.KEPT : PreviousVersion.TAKEN);
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
  public RetainedVersions retained() {
    return retained;
  }

  @Override
  public void close() {
    if (rest != null) {
      rest.close();
      return;
    }
    JavaRDD<EmbeddingPartition> last = pending == null ? version : pending;
    if (!isEnded && last != inputs.begin()) {
      retained.abandon(last);
    }
  }
}
