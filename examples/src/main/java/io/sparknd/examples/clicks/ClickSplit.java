/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.embedding.Batches;
import io.sparknd.examples.support.RowGroups;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The beginning of a click log for training, in whole mini-batches, and its end to evaluate the
 * model: clicks are predicted for a time that is not known yet.
 *
 * @param training about nine tenths
 * @param heldOut the others
 * @param count the number of training examples
 * @param size examples per shard and mini-batch
 */
public record ClickSplit(Dataset<Row> training, Dataset<Row> heldOut, long count, int size) {
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
    long most = examples * 9 / 10;
    int size = (int) Math.max(1, Math.min(MOST, most / (SHARDS * BATCHES)));
    long batch = (long) SHARDS * size;
    long count = most / batch * batch;
    Dataset<Row> training = all.where(col("position").lt(count));
    Dataset<Row> heldOut = all.where(col("position").geq(count));
    if (labels(training) < 2 || labels(heldOut) < 2) {
      throw CliErrors.tooFewExamples(count, examples - count);
    }
    return new ClickSplit(training, heldOut, count, size);
  }

  private static long labels(Dataset<Row> clicks) {
    return clicks.select("label").distinct().count();
  }

  /** Returns the mini-batches in the order of the log, again and again. */
  public Batches<Clicks> batches() {
    Dataset<Row> shards =
        training
            .repartitionById(
                SHARDS, expr("cast(position div " + size + " % " + SHARDS + " AS int)"))
            .sortWithinPartitions("position")
            .select("label", "features");
    return RowGroups.batches(shards, size, Clicks::of);
  }

  /** The steps of an epoch. */
  public int steps() {
    return (int) (count / SHARDS / size);
  }

  /** The number of features of an example. */
  public int fields() {
    return training.selectExpr("size(features)").first().getInt(0);
  }
}
