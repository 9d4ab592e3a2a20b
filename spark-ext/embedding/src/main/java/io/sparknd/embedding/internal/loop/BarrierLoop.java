/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

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
import io.sparknd.embedding.internal.step.LossAccumulator;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains on a cluster by barrier jobs of some seconds, each of one stage: its tasks take many steps
 * and exchange rows and gradients from executor to executor, see {@link BarrierTask}. A job begins
 * with a version that is persisted, and leaves the next one. The bits are those of {@link
 * ShuffleLoop}, which takes a few steps after a job that failed: for lack of memory or of cores, by
 * an executor that was lost, or by an error, which it reports. A version that is not cut off has
 * their lineage.
 */
final class BarrierLoop<B> implements TrainingLoop {
  /** The logger of trainings; internal packages do not refer to their class. */
  private static final Logger LOG = LoggerFactory.getLogger("io.sparknd.embedding.Training");

  private final LoopInputs<B> inputs;
  private final RetainedVersions retained;
  private final BarrierJobLength length;

  /** The last version that is computed. */
  private JavaRDD<EmbeddingPartition> version;

  /** The version that a job computes; null between jobs. */
  private @Nullable JavaRDD<EmbeddingPartition> pending;

  /** Trains in place of a job that failed; null if there is none. */
  private @Nullable ShuffleLoop<B> instead;

  /** Versions of jobs that failed, whose tasks may have stored parts of them afterwards. */
  private final List<JavaRDD<EmbeddingPartition>> discarded = new ArrayList<>();

  /** Failed jobs since the last one that did not. */
  private int failures;

  private boolean isEnded;

  /**
   * Begins a training.
   *
   * @param mostNanos the longest time for which a job takes steps
   */
  BarrierLoop(LoopInputs<B> inputs, RetainedVersions retained, long mostNanos) {
    this.inputs = inputs;
    this.length = new BarrierJobLength(mostNanos);
    this.retained = retained;
    this.version = inputs.begin();
  }

  /** Returns whether the executors can exchange messages without shuffles. */
  static boolean isPossible(LoopInputs<?> inputs, SparkSession spark) {
    SparkContext context = inputs.context().sc();
    String exchange = SparkNdSetting.TRAINING_EXCHANGE.wordIn(spark, List.of("auto", "shuffle"));
    return exchange.equals("auto")
        && BarrierTasks.arePossible(context)
        // who fixes the ports of executors may block all others
        && context.conf().getInt("spark.blockManager.port", 0) == 0;
  }

  @Override
  public void train(long step, StepRanges jobs, Progress progress) {
    compute(version);
    compute(inputs.shards());
    long at = step;
    while (at < jobs.stop()) {
      awaitExecutor();
      if (BarrierFailures.arePaused(context())) {
        at = trainInstead(at, length.stepsOfPause(at, jobs), progress);
        continue;
      }
      Ran ran = run(at, length.steps(at, jobs));
      if (ran == null) {
        at = trainInstead(at, length.stepsAfterFailure(at, jobs), progress);
      } else {
        ran.report(progress);
        at = ran.jobs().stop();
      }
    }
  }

  /** Waits for the first executor, as any job does, in an application that has just begun. */
  private void awaitExecutor() {
    if (PartitionTasks.slots(context()) > 0) {
      return;
    }
    JavaFutureAction<?> job = inputs.context().parallelize(List.of(0), 1).collectAsync();
    try {
      job.get();
    } catch (InterruptedException e) {
      job.cancel(true);
      throw SneakyThrow.thrown(e);
    } catch (ExecutionException e) {
      throw TaskErrors.unwrapped(e);
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

  /** Takes some steps, at most those of {@code jobs}. Returns null if that failed. */
  private @Nullable Ran run(long step, StepRanges jobs) {
    LossAccumulator losses = LossAccumulator.registered(context());
    JavaRDD<EmbeddingPartition> next = StoredPartitions.of(context(), inputs.partitions());
    pending = next;
    retained.retain(next, jobs.count(step));
    try {
      long begin = System.nanoTime();
      int members = members();
      BarrierTask<B> task = task(members, step, jobs, next, losses);
      List<StepTimes> times = BarrierTasks.run(version, inputs.shards(), members, task);
      Ran ran = Ran.of(step, jobs, times.get(0), losses.value());
      keep(next, ran);
      long nanos = System.nanoTime() - begin;
      length.ran(ran.times(), nanos);
      long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
      LOG.debug("steps {} to {} by a barrier job of {} ms", step, ran.jobs().stop(), millis);
      BarrierFailures.clear(context());
      failures = 0;
      return ran;
    } catch (InterruptedException e) {
      throw SneakyThrow.thrown(e);
    } catch (Exception e) {
      if (BarrierTasks.isCancelled(e)) {
        throw SneakyThrow.thrown(e);
      }
      BarrierFailures.add(context());
      failures++;
      length.failed();
      LOG.warn("shuffles take steps from {} on, whose barrier job failed", step, e);
      retained.discard(next);
      discarded.add(next);
      pending = null;
      return null;
    }
  }

  /** Goes on with the version that the tasks of a job stored. */
  private void keep(JavaRDD<EmbeddingPartition> next, Ran ran) {
    retained.took(ran.jobs().count(ran.step()));
    if (!retained.isCut()) {
      JavaRDD<EmbeddingPartition> lineage =
          new ShuffleLoop<>(inputs.from(version), retained).lineage(ran.step(), ran.jobs());
      RddLineage.registerShuffles(lineage);
      StoredPartitions.derive(next, lineage);
    }
    retained.releaseReplaced(next);
    version = next;
    pending = null;
  }

  /** Returns the number of tasks for which there is work. */
  private int mostMembers() {
    return Math.max(inputs.partitions(), inputs.shards().getNumPartitions());
  }

  /** Returns the number of tasks: as many as run at once, if there is work for each. */
  private int members() {
    return Math.min(mostMembers(), PartitionTasks.atOnce(context()));
  }

  private BarrierTask<B> task(
      int members,
      long step,
      StepRanges jobs,
      JavaRDD<EmbeddingPartition> next,
      LossAccumulator losses) {
    return new BarrierTask<>(
        inputs.tables(),
        inputs.keys(),
        ClosureBytes.of(inputs.tables()),
        ClosureBytes.of(inputs.function()),
        step,
        jobs,
        length.next(members, mostMembers()),
        losses,
        next.id(),
        next.getStorageLevel());
  }

  /**
   * A job that ended.
   *
   * @param step its first step
   * @param jobs its steps
   * @param nanoTime when it ended
   */
  private record Ran(
      long step, StepRanges jobs, StepTimes times, Map<Long, LossSum> losses, long nanoTime) {
    static Ran of(long step, StepRanges most, StepTimes times, Map<Long, LossSum> losses) {
      long stop = step;
      for (int number = 0; number < times.jobs(); number++) {
        stop = most.at(stop).end();
      }
      StepRanges taken = new StepRanges(most.perJob(), stop);
      return new Ran(step, taken, times, losses, System.nanoTime());
    }

    void report(Progress progress) {
      StepRange job = jobs.at(step);
      for (int number = 0; number < times.jobs(); number++) {
        progress.completed(job, losses, nanoTime - times.nanosAfter(number));
        job = jobs.at(job.end());
      }
    }
  }

  /** Trains by shuffles, and returns the step after the last one. */
  private long trainInstead(long step, StepRanges jobs, Progress progress) {
    ShuffleLoop<B> shuffles = new ShuffleLoop<>(inputs.from(version), retained);
    instead = shuffles;
    try {
      shuffles.train(step, jobs, progress);
      version = shuffles.end();
    } catch (Exception e) { // Spark throws undeclared checked ones
      if (!isStopped(e)) {
        BarrierFailures.forgive(context(), failures); // they had the error that shuffles report
      }
      throw SneakyThrow.thrown(e);
    }
    instead = null;
    return jobs.stop();
  }

  /** Returns whether a job ended since nobody wants its result. */
  private static boolean isStopped(Exception failure) {
    return failure instanceof InterruptedException || BarrierTasks.isCancelled(failure);
  }

  @Override
  public JavaRDD<EmbeddingPartition> end() {
    isEnded = true;
    return version;
  }

  @Override
  public RetainedVersions retained() {
    return retained;
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
