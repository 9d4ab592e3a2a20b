/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.apache.spark.sql.functions.expr;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.embedding.TrainingFeed;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Ratings to train, and a tenth that is held out. The choice depends only on user and item, so that
 * ratings of the same two are on the same side.
 *
 * @param training about nine tenths
 * @param heldOut the others
 * @param count the number of training ratings
 * @param mean their mean
 */
public record RatingSplit(Dataset<Row> training, Dataset<Row> heldOut, long count, double mean) {
  private static final int SHARDS = 2;
  private static final int BATCHES = 3;
  private static final int MOST = 1 << 16;

  /**
   * Splits and caches ratings.
   *
   * @throws io.sparknd.tensor.SparkNdException if one of the parts is empty
   */
  public static RatingSplit of(Dataset<Row> ratings) {
    Dataset<Row> drawn = ratings.withColumn("draw", expr("xxhash64(user, item)"));
    Dataset<Row> training = drawn.where("draw % 10 != 0").drop("draw").persist();
    Dataset<Row> heldOut = drawn.where("draw % 10 = 0").drop("draw").persist();
    Row summary = training.selectExpr("count(*)", "ifnull(avg(rating), 0)").first();
    if (summary.getLong(0) == 0 || heldOut.isEmpty()) {
      throw CliErrors.tooFewExamples(summary.getLong(0), heldOut.count());
    }
    return new RatingSplit(training, heldOut, summary.getLong(0), summary.getDouble(1));
  }

  /** Returns shuffled mini-batches. */
  public TrainingFeed feed() {
    TrainingColumns columns = TrainingColumns.label("rating").categorical("user", "item");
    return TrainingFeed.of(training, columns, FeedOptions.of(SHARDS, size()));
  }

  /** A large part sends a popular row once for many ratings. */
  private int size() {
    return (int) Math.max(1, Math.min(MOST, count / (SHARDS * BATCHES)));
  }
}
