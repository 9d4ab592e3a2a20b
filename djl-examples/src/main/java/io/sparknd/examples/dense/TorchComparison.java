/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.djl.DjlStep;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingModel;
import io.sparknd.embedding.TrainedModel;
import io.sparknd.embedding.evaluation.EvaluationMetric;
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
record TorchComparison<B>(
    SparkSession spark, ScoredModel<B> model, Batches.Generator<B> source, int shards, int steps) {

  /**
   * Trains both and prints AUC and time.
   *
   * @return the AUC of SparkND
   */
  double run(HeldOutExamples<B> heldOut) {
    EmbeddingModel initial = EmbeddingModel.create(spark, model.spec());
    DriverLoad<TrainedModel> own = DriverLoad.of(spark, () -> trained(initial));
    say(
        "trained",
        "%,d steps, %.1f a second; loss %.4f, initially %.4f",
        steps,
        own.model().history().stepsPerSecond(),
        own.model().history().loss(10),
        own.model().history().steps().get(0).loss().mean());
    ModelComparison comparison = new ModelComparison(EvaluationMetric.auc());
    float[] scores = scores(own.model().model(), heldOut.examples());
    double auc =
        comparison
            .add("SparkND, " + shards + " tasks", heldOut.predictions(spark, scores), own)
            .get(0);
    try (TorchBaseline<B> baseline = new TorchBaseline<>(model, initial)) {
      DriverLoad<TorchBaseline<B>> torch =
          DriverLoad.of(spark, () -> baseline.train(steps, this::parts));
      float[] others = baseline.scores(heldOut.examples());
      comparison.add("plain PyTorch, one thread", heldOut.predictions(spark, others), torch);
    }
    comparison.add("planted model", heldOut.predictions(spark, heldOut.truth()));
    comparison.print();
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
}
