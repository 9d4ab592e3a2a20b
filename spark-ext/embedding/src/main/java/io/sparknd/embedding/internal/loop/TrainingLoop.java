/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.ShardSource;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** Trains one or several tables to the next stop: a validation, a checkpoint or the end. */
public sealed interface TrainingLoop extends AutoCloseable
    permits ShuffleLoop, LocalLoop, BarrierLoop {
  /** Receives what was trained. */
  interface Progress {
    /**
     * Receives a job.
     *
     * @param losses in step order
     * @param nanoTime when its last step ended
     */
    void completed(StepRange job, List<LossSum> losses, long nanoTime);

    /**
     * Receives a job.
     *
     * @param byStep losses by step, of any steps
     */
    default void completed(StepRange job, Map<Long, LossSum> byStep, long nanoTime) {
      List<LossSum> losses = new ArrayList<>();
      for (int i = 0; i < job.count(); i++) {
        losses.add(byStep.get(job.step(i)));
      }
      completed(job, losses, nanoTime);
    }
  }

  /**
   * Begins with a version.
   *
   * @param <V> a table or a model
   */
  static <V, B> TrainingLoop of(
      TrainedVersions<V> operations,
      V version,
      ShardSource<B> batches,
      ShardFunction<B> function,
      int versionsPerCut) {
    SparkSession spark = operations.spark(version);
    long jobNanos = SparkNdSetting.TRAINING_JOB_TIME.nanosIn(spark);
    LoopInputs<B> inputs = LoopInputs.of(operations, version, batches, function);
    RetainedVersions retained = new RetainedVersions(versionsPerCut, operations.versions(version));
    if (BarrierLoop.isPossible(inputs, spark)) {
      return new BarrierLoop<>(inputs, retained, jobNanos);
    }
    return retained.isCutEveryVersion() && LocalLoop.isPossible(inputs)
        ? new LocalLoop<>(inputs, retained, LocalLimits.of(inputs.context().sc()))
        : new ShuffleLoop<>(inputs, retained);
  }

  /**
   * Trains from {@code step} to the end of {@code jobs}.
   *
   * @param jobs at least one
   */
  void train(long step, StepRanges jobs, Progress progress);

  /** Computes, persists and returns the last version. */
  JavaRDD<EmbeddingPartition> end();

  RetainedVersions retained();

  /** Returns the number of versions in the lineage of the last one. */
  default int versions() {
    return retained().versionsSinceCut();
  }

  /** Returns whether the last version does not depend on the one that the training began with. */
  default boolean isCutOff() {
    return retained().hasCut();
  }

  /** Releases all versions, unless {@link #end} returned the last. */
  @Override
  void close();
}
