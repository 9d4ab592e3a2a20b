/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.apache.spark.sql.functions.col;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.embedding.TrainingFeed;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The beginning of a click log for training, and its end to evaluate the model: clicks are
 * predicted for a time that is not known yet.
 *
 * @param training about nine tenths
 * @param heldOut the others
 * @param count the number of training examples
 */
public record ClickSplit(Dataset<Row> training, Dataset<Row> heldOut, long count) {
  private static final int SHARDS = 2;
  private static final int BATCHES = 50;
  private static final int MOST = 4096;

  /**
   * Splits and caches examples.
   *
   * @param clicks {@code position}, from 0, {@code label} and {@code features}
   * @throws io.sparknd.tensor.SparkNdException if a part does not have both labels
   */
  public static ClickSplit of(Dataset<Row> clicks) {
    Dataset<Row> all = clicks.persist();
    long examples = all.count();
    long count = examples * 9 / 10;
    Dataset<Row> training = all.where(col("position").lt(count));
    Dataset<Row> heldOut = all.where(col("position").geq(count));
    if (labels(training) < 2 || labels(heldOut) < 2) {
      throw CliErrors.tooFewExamples(count, examples - count);
    }
    return new ClickSplit(training, heldOut, count);
  }

  private static long labels(Dataset<Row> clicks) {
    return clicks.select("label").distinct().count();
  }

  /** Returns shuffled mini-batches. */
  public TrainingFeed feed() {
    TrainingColumns columns =
        TrainingColumns.label("label").multiValued(KeySpace.plain(), "features");
    return TrainingFeed.of(training, columns, FeedOptions.of(SHARDS, size()));
  }

  private int size() {
    return (int) Math.max(1, Math.min(MOST, count / (SHARDS * BATCHES)));
  }

  /** The number of features of an example. */
  public int fields() {
    return training.selectExpr("size(features)").first().getInt(0);
  }
}
