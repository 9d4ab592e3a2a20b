/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import java.util.List;

/** Computes the mean loss of mini-batches with the rows of one version. */
record LossValidation<B>(Batches<B> batches, StepFunction<B> function, int count)
    implements TrainingValidation {
  /** A job holds the rows of its mini-batches in the tasks of shards. */
  private static final int BATCHES_PER_JOB = 8;

  @Override
  public List<MetricValue> evaluate(EmbeddingTable table) {
    Loss loss = Loss.NONE;
    for (int first = 0; first < count; first += BATCHES_PER_JOB) {
      StepRange range = new StepRange(first, Math.min(BATCHES_PER_JOB, count - first));
      for (Loss one : losses(table, range)) {
        loss = loss.and(one);
      }
    }
    return List.of(new MetricValue("val_loss", MetricGoal.MINIMIZE, loss.mean()));
  }

  /** Runs the first job of a training; the version with its gradients is never computed. */
  private List<Loss> losses(EmbeddingTable table, StepRange range) {
    TrainingLoop<B> loop = new TrainingLoop<>(table, batches, function, Integer.MAX_VALUE);
    try {
      loop.begin(range);
      return loop.run(range, new StepRange(range.first() + range.count(), 0));
    } finally {
      loop.abandon();
    }
  }
}
