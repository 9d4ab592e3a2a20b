/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.cli.training.LossChart;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Trained;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import io.sparknd.examples.support.Rmse;
import io.sparknd.examples.support.TrainedRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.SparkSession;

/** Trains factors of users and items on ratings and compares their error with the noise. */
public final class RatingStory {
  private static final long SEED = 1;
  private static final int RANK = 8;
  private static final double NOISE = 0.5;
  private static final double RATE = 0.3;
  private static final float DECAY = 0.02f;
  private static final int SHARDS = 2;
  private static final int SIZE = 4096;
  private static final int STEPS_PER_JOB = 4;
  private static final int ALS_ROUNDS = 10;

  private final SparkSession spark;
  private final PlantedRatings planted;
  private final int batches;
  private final int epochs;

  /**
   * @param ratings training ratings, rounded down to whole mini-batches; a twentieth as many are
   *     held out
   * @param epochs passes over the training ratings
   */
  public RatingStory(SparkSession spark, int users, int items, int ratings, int epochs) {
    this.spark = spark;
    this.planted = new PlantedRatings(users, items, RANK, NOISE, SEED);
    this.batches = Math.max(1, ratings / (SHARDS * SIZE));
    this.epochs = epochs;
  }

  /**
   * Trains, compares with MLlib and writes a chart.
   *
   * @param folder the folder of the chart
   * @return the RMSE of held-out ratings
   */
  public double tell(Path folder) throws IOException {
    JavaRDD<Ratings> ratings = ratings().cache();
    int count = ratings.map(Ratings::count).reduce(Integer::sum);
    Ratings heldOut = planted.ratings(count, count / 20);
    say(
        "ratings",
        "%,d ratings of %,d users and %,d items, rank %d; %,d held out",
        count,
        planted.users(),
        planted.items(),
        RANK,
        heldOut.count());
    DriverLoad<Trained> trained = DriverLoad.of(spark, () -> train(ratings));
    report(trained.model());
    Files.createDirectories(folder);
    Path chart = folder.resolve("loss.svg");
    LossChart.of(trained.model()).write(chart);
    say("chart", "%s", chart);
    double rmse = rmse(TrainedRows.of(trained.model().table()), heldOut);
    compare(rmse, trained, ratings, heldOut);
    return rmse;
  }

  /** Returns the ratings with one partition per shard. */
  private JavaRDD<Ratings> ratings() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<PlantedRatings> shared = context.broadcast(planted);
    return context
        .parallelize(IntStream.range(0, SHARDS * batches).boxed().toList(), SHARDS)
        .map(number -> shared.value().ratings((long) number * SIZE, SIZE));
  }

  private Trained train(JavaRDD<Ratings> ratings) {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.of(planted.rows(), RANK, Optimizer.adagrad(RATE))
                .withInitializer(Initializer.normal(0, 0.1, SEED)));
    return table
        .train(Batches.of(ratings), new MatrixFactors(planted.users(), DECAY))
        .steps(epochs * batches)
        .stepsPerJob(STEPS_PER_JOB)
        .run();
  }

  private void report(Trained trained) {
    long examples = trained.steps().stream().mapToLong(step -> step.loss().examples()).sum();
    say(
        "trained",
        "%d epochs in %,d steps, %,.0f ratings per second",
        epochs,
        trained.steps().size(),
        examples / trained.seconds());
  }

  private double rmse(TrainedRows rows, Ratings heldOut) {
    double[] predicted = new MatrixFactors(planted.users(), DECAY).predictions(rows, heldOut);
    return Rmse.of(predicted, heldOut.asDoubles());
  }

  private void compare(
      double rmse, DriverLoad<Trained> trained, JavaRDD<Ratings> ratings, Ratings heldOut) {
    AlsRival rival = new AlsRival(RANK, DECAY, ALS_ROUNDS);
    DriverLoad<ALSModel> als = DriverLoad.of(spark, () -> rival.train(spark, ratings));
    TrainedRows rows = rival.rows(als.model(), planted.users(), planted.items());
    new ModelComparison("held-out RMSE")
        .with("SparkND", rmse, trained)
        .with("MLlib ALS", rmse(rows, heldOut), als)
        .with("noise", NOISE)
        .print();
  }
}
