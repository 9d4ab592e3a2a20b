/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.cli.training.LossChart;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.TrainedEmbedding;
import io.sparknd.embedding.TrainingFeed;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import java.nio.file.Path;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Trains factors of users and items on ratings and compares their error with ALS. */
public final class RatingExperiment {
  /** Factors per user and item. */
  static final int RANK = 8;

  private static final long SEED = 1;
  private static final int ALS_ROUNDS = 10;

  private final SparkSession spark;
  private final RatingTask task;
  private final int epochs;

  /**
   * @param epochs passes over the training ratings
   */
  public RatingExperiment(SparkSession spark, RatingTask task, int epochs) {
    this.spark = spark;
    this.task = task;
    this.epochs = epochs;
  }

  /**
   * Trains, compares with MLlib and writes a chart.
   *
   * @param folder the folder of the chart, which exists
   * @return the RMSE of held-out ratings
   */
  public double run(Path folder) {
    RatingSplit split = RatingSplit.of(task.ratings());
    describe(split);
    MatrixFactors factors = new MatrixFactors((float) split.mean(), task.decay());
    DriverLoad<TrainedEmbedding> trained = DriverLoad.of(spark, () -> train(split, factors));
    report(trained.model());
    Path chart = folder.resolve("loss.svg");
    LossChart.of(trained.model()).write(chart);
    say("chart", "%s", chart);
    return compare(split, factors, trained);
  }

  private void describe(RatingSplit split) {
    Row counts =
        split.training().selectExpr("count(DISTINCT user)", "count(DISTINCT item)").first();
    say(
        "ratings",
        "%,d ratings of %,d users and %,d items, mean %.2f; %,d held out; rank %d",
        split.count(),
        counts.getLong(0),
        counts.getLong(1),
        split.mean(),
        split.heldOut().count(),
        RANK);
  }

  private TrainedEmbedding train(RatingSplit split, MatrixFactors factors) {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.keyed(1 + RANK, Optimizer.adagrad(task.rate()))
                .withInitializer(Initializer.normal(0, 0.05, SEED)));
    try (TrainingFeed feed = split.feed()) {
      return table.train(feed.batches(), factors).steps(epochs * feed.stepsPerEpoch()).run();
    }
  }

  private void report(TrainedEmbedding trained) {
    long examples = trained.steps().stream().mapToLong(step -> step.loss().examples()).sum();
    say(
        "trained",
        "%d epochs in %,d steps, %,.0f ratings per second",
        epochs,
        trained.steps().size(),
        examples / trained.seconds());
  }

  private double compare(
      RatingSplit split, MatrixFactors factors, DriverLoad<TrainedEmbedding> trained) {
    AlsBaseline baseline = new AlsBaseline(RANK, task.alsDecay(), ALS_ROUNDS);
    DriverLoad<ALSModel> als = DriverLoad.of(spark, () -> baseline.train(split.training()));
    ModelComparison comparison = new ModelComparison(EvaluationMetric.rmse());
    double rmse =
        comparison
            .add("SparkND", factors.predictions(trained.model().table(), split.heldOut()), trained)
            .get(0);
    comparison.add(
        "MLlib ALS", AlsBaseline.predictions(als.model(), split.heldOut(), split.mean()), als);
    task.noise().ifPresent(noise -> comparison.add("noise", noise));
    comparison.print();
    return rmse;
  }
}
