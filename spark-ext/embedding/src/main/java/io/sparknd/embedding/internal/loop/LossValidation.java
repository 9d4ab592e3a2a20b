/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.ShardSource;
import io.sparknd.embedding.internal.step.StepRange;
import java.util.List;
import java.util.function.Function;

/**
 * Computes the mean loss of mini-batches with the rows of one version.
 *
 * @param <V> a table or a model
 * @param function returns the function of a version
 * @param count number of mini-batches, at least 1
 */
public record LossValidation<V, B>(
    TrainedVersions<V> operations,
    ShardSource<B> batches,
    Function<V, ShardFunction<B>> function,
    int count) {
  /** A job holds the rows of its mini-batches in the tasks of shards. */
  private static final int BATCHES_PER_JOB = 8;

  public LossValidation {
    if (count < 1) {
      throw TrainingErrors.badTraining("count", count);
    }
  }

  public List<MetricValue> evaluate(V version) {
    LossSum loss = LossSum.NONE;
    for (int first = 0; first < count; first += BATCHES_PER_JOB) {
      StepRange range = new StepRange(first, Math.min(BATCHES_PER_JOB, count - first));
      for (LossSum one : losses(version, range)) {
        loss = loss.plus(one);
      }
    }
    return List.of(new MetricValue("val_loss", MetricGoal.MINIMIZE, loss.mean()));
  }

  /** Runs the first job of a training; the version with its gradients is never computed. */
  private List<LossSum> losses(V version, StepRange range) {
    ShardFunction<B> loss = function.apply(version);
    RetainedVersions retained =
        new RetainedVersions(Integer.MAX_VALUE, operations.versions(version));
    LoopInputs<B> inputs = LoopInputs.of(operations, version, batches, loss);
    try (ShuffleLoop<B> loop = new ShuffleLoop<>(inputs, retained)) {
      loop.begin(range);
      return loop.run(range, new StepRange(range.end(), 0));
    } finally {
      operations.detach(version);
    }
  }
}
