/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.examples.ratings.RatingExperiment;
import io.sparknd.examples.ratings.RatingTask;
import io.sparknd.examples.support.ChartFolder;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.examples.support.OptionBounds;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/**
 * Trains factors of users and items on ratings of MovieLens, or generated from known factors,
 * compared with MLlib's ALS.
 */
public final class MatrixFactorization implements Example {
  private static final int USERS_PER_ITEM = 5;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "matrix-factorization",
      description =
          "Folder for the chart; an existing chart is overwritten. Default: matrix-factorization.")
  private Path out = Path.of("matrix-factorization");

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Generated users, five per item. Default: 10000.")
  private int users = 10_000;

  @Option(
      names = "--ratings",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Generated ratings, a tenth of which are held out. Default: 500000.")
  private int ratings = 500_000;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Passes over the training ratings. Default: 12, or 6 with --data.")
  private Integer epochs;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description =
          "Ratings of MovieLens instead of generated ones: ratings.csv, ratings.dat or u.data.")
  private String data;

  public static void main(String[] args) throws Exception {
    new MatrixFactorization().run();
  }

  @Override
  public String name() {
    return "matrix-factorization";
  }

  @Override
  public String summary() {
    return "train factors of users and items on ratings, compared with MLlib's ALS";
  }

  @Override
  public void run() throws Exception {
    OptionBounds.atLeast(1, "--users", users);
    ChartFolder.create(out);
    try (SparkSession spark = ExampleSession.open(name())) {
      RatingTask task =
          data == null
              ? RatingTask.planted(spark, users, Math.max(1, users / USERS_PER_ITEM), ratings)
              : RatingTask.movieLens(spark, data);
      new RatingExperiment(spark, task, epochs == null ? task.epochs() : epochs).run(out);
    }
  }
}
