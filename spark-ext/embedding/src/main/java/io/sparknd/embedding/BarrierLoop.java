/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.BarrierTasks;
import io.sparknd.cluster.internal.spark.ClosureBytes;
import io.sparknd.cluster.internal.spark.LocalCheckpoints;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.RddLineage;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.spark.StoredPartitions;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains on a cluster by barrier jobs of some seconds, each of one stage: its tasks take many steps
 * and exchange rows and gradients from executor to executor, see {@link BarrierTask}. A job begins
 * with a version that is persisted, and leaves the next one. The bits are those of {@link
 * ShuffleLoop}, which takes the steps of a job that failed: for lack of memory or of cores, by an
 * executor that was lost, or by an error, which it reports. A version that is not cut off has their
 * lineage.
 */
final class BarrierLoop<B> implements TrainingLoop {
  private static final Logger LOG = LoggerFactory.getLogger(Training.class);

  private final LoopInputs<B> inputs;
  private final RetainedVersions retained;
  private final BarrierJobLength length = new BarrierJobLength();

  /** The last version that is computed. */
  private JavaRDD<EmbeddingPartition> version;

  /** The version that a job computes; null between jobs. */
  private @Nullable JavaRDD<EmbeddingPartition> pending;

  /** Trains in place of a job that failed; null if there is none. */
  private @Nullable ShuffleLoop<B> instead;

  /** Versions of jobs that failed, whose tasks may have stored parts of them afterwards. */
  private final List<JavaRDD<EmbeddingPartition>> discarded = new ArrayList<>();

  private boolean isEnded;

  BarrierLoop(LoopInputs<B> inputs, RetainedVersions retained) {
    this.inputs = inputs;
    this.retained = retained;
    this.version = inputs.begin();
  }

  /** Returns whether the executors can exchange messages without shuffles. */
  static boolean isPossible(LoopInputs<?> inputs, SparkSession spark) {
    SparkContext context = inputs.context().sc();
    return BarrierTasks.arePossible(context)
        // who fixes the ports of executors may block all others
        && context.conf().getInt("spark.blockManager.port", 0) == 0
        && !SparkNdSetting.TRAINING_EXCHANGE.in(spark).equals("shuffle");
  }

  @Override
  public void train(long step, StepRanges jobs, Progress progress) {
    compute(version);
    compute(inputs.shards());
    long at = step;
    while (at < jobs.stop()) {
      // jobs of shuffles wait for executors
      boolean isPaused =
          PartitionTasks.slots(context()) == 0 || BarrierFailures.arePaused(context());
      StepRanges ofJob = new StepRanges(jobs.perJob(), length.end(at, jobs));
      Ran ran = isPaused ? null : run(at, ofJob);
      if (ran == null) {
        trainInstead(at, ofJob, progress);
      } else {
        ran.report(at, ofJob, progress);
      }
      at = ofJob.stop();
    }
  }

  private SparkContext context() {
    return inputs.context().sc();
  }

  /** Runs the stages before an RDD, which a barrier job cannot do, and does not know. */
  private static void compute(JavaRDD<?> rdd) {
    try {
      if (RddLineage.hasShuffle(rdd)) {
        PartitionTasks.run(rdd);
      }
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Takes the steps of a job. Returns null if it failed. */
  private @Nullable Ran run(long step, StepRanges jobs) {
    LossAccumulator losses = LossAccumulator.registered(context());
    JavaRDD<EmbeddingPartition> next = stored(step, jobs);
    pending = next;
    retained.retain(next, jobs.count(step));
    try {
      long begin = System.nanoTime();
      List<StepTimes> times =
          BarrierTasks.run(version, inputs.shards(), members(), task(step, jobs, next, losses));
      retained.releaseReplaced(next);
      version = next;
      pending = null;
      long end = System.nanoTime();
      LOG.debug("steps {} to {} by a barrier job", step, jobs.stop());
      length.ran(jobs.stop() - step, times.get(0), end - begin);
      BarrierFailures.clear(context());
      return new Ran(times.get(0), losses.value(), end);
    } catch (InterruptedException e) {
      throw TrainingLoop.interrupted(e);
    } catch (Exception e) {
      if (BarrierTasks.isCancelled(e)) {
        throw SneakyThrow.thrown(e);
      }
      BarrierFailures.add(context());
      LOG.warn("shuffles take the steps {} to {}, whose barrier job failed", step, jobs.stop(), e);
      retained.discard(next);
      discarded.add(next);
      pending = null;
      return null;
    }
  }

  /** Returns the version after {@code jobs}, which the tasks store. */
  private JavaRDD<EmbeddingPartition> stored(long step, StepRanges jobs) {
    if (retained.isCutAfter(jobs.count(step))) {
      return StoredPartitions.of(context(), inputs.partitions());
    }
    JavaRDD<EmbeddingPartition> lineage =
        new ShuffleLoop<>(inputs.from(version), retained).lineage(step, jobs);
    RddLineage.registerShuffles(lineage);
    return StoredPartitions.of(lineage);
  }

  /** Returns the number of tasks: as many as run at once, if there is work for each. */
  private int members() {
    int most = Math.max(inputs.partitions(), inputs.shards().getNumPartitions());
    return Math.min(most, PartitionTasks.atOnce(context()));
  }

  private BarrierTask<B> task(
      long step, StepRanges jobs, JavaRDD<EmbeddingPartition> next, LossAccumulator losses) {
    return new BarrierTask<>(
        inputs.tables(),
        inputs.keys(),
        ClosureBytes.of(inputs.tables()),
        ClosureBytes.of(inputs.function()),
        step,
        jobs,
        losses,
        next.id(),
        next.getStorageLevel());
  }

  /**
   * A job that ended.
   *
   * @param nanoTime when it ended
   */
  private record Ran(StepTimes times, Map<Long, Loss> losses, long nanoTime) {
    void report(long step, StepRanges jobs, Progress progress) {
      StepRange job = jobs.at(step);
      for (int number = 0; number < times.jobs(); number++) {
        progress.completed(job, losses, nanoTime - times.nanosAfter(number));
        job = jobs.at(job.end());
      }
    }
  }

  private void trainInstead(long step, StepRanges jobs, Progress progress) {
    ShuffleLoop<B> shuffles = new ShuffleLoop<>(inputs.from(version), retained);
    instead = shuffles;
    shuffles.train(step, jobs, progress);
    version = shuffles.end();
    instead = null;
  }

  @Override
  public JavaRDD<EmbeddingPartition> end() {
    isEnded = true;
    return version;
  }

  @Override
  public int versions() {
    return retained.versionsSinceCut();
  }

  @Override
  public boolean isCutOff() {
    return retained.hasCut();
  }

  @Override
  public void close() {
    discarded.forEach(LocalCheckpoints::unpersist);
    if (instead != null) {
      instead.close();
      return;
    }
    JavaRDD<EmbeddingPartition> last = pending == null ? version : pending;
    if (!isEnded && last != inputs.begin()) {
      retained.abandon(last);
    }
  }
}
