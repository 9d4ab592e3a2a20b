/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.djl.DjlStep;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingModel;
import io.sparknd.embedding.TrainedModel;
import io.sparknd.examples.support.Auc;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * Trains a model with SparkND and in plain PyTorch, with the same mini-batches from the same
 * initial values.
 *
 * @param source makes the parts of mini-batches
 * @param shards parts of a mini-batch
 * @param <B> examples
 */
record TorchContest<B>(
    SparkSession spark, ScoredModel<B> model, Batches.Generator<B> source, int shards, int steps) {

  /** Held-out examples, and whether each is positive. */
  record HeldOutExamples<B>(B examples, boolean[] positive) {}

  /**
   * Trains both and prints AUC and time.
   *
   * @param truth AUC of the planted model
   * @return the AUC of SparkND
   */
  double run(HeldOutExamples<B> heldOut, double truth) {
    EmbeddingModel initial = EmbeddingModel.create(spark, model.spec());
    DriverLoad<TrainedModel> own = DriverLoad.of(spark, () -> trained(initial));
    say(
        "trained",
        "%,d steps, %.1f a second; loss %.4f, initially %.4f",
        steps,
        own.model().history().stepsPerSecond(),
        own.model().history().loss(10),
        own.model().history().steps().get(0).loss().mean());
    double auc = auc(scores(own.model().model(), heldOut.examples()), heldOut.positive());
    try (TorchRival<B> rival = new TorchRival<>(model, initial)) {
      DriverLoad<TorchRival<B>> torch = DriverLoad.of(spark, () -> rival.train(steps, this::parts));
      double other = auc(rival.scores(heldOut.examples()), heldOut.positive());
      new ModelComparison("held-out AUC")
          .with("SparkND, " + shards + " tasks", auc, own)
          .with("plain PyTorch, one thread", other, torch)
          .with("planted model", truth)
          .print();
    }
    return auc;
  }

  private TrainedModel trained(EmbeddingModel initial) {
    return initial
        .train(Batches.generated(shards, source), new DjlStep<>(model))
        .steps(steps)
        .run();
  }

  private float[] scores(EmbeddingModel trained, B examples) {
    return DjlStep.evaluate(
        trained.fetch(model.ids(examples)), arrays -> model.scores(examples, arrays));
  }

  private List<B> parts(long step) {
    return IntStream.range(0, shards).mapToObj(shard -> source.batch(step, shard)).toList();
  }

  private static double auc(float[] scores, boolean[] positive) {
    return Auc.of(
        IntStream.range(0, scores.length).mapToDouble(i -> scores[i]).toArray(), positive);
  }
}
