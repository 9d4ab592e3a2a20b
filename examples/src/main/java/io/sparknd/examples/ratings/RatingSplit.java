/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.sparknd.embedding.Batches;
import io.sparknd.examples.support.RowGroups;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Ratings in random order, a tenth of them held out. The order depends only on user and item, not
 * on the files: a file of MovieLens is sorted by user, and its end is not like its beginning.
 *
 * @param training about nine tenths
 * @param heldOut the others
 * @param count the number of training ratings
 * @param mean their mean
 */
public record RatingSplit(Dataset<Row> training, Dataset<Row> heldOut, long count, double mean) {
  private static final int SHARDS = 2;
  private static final int BATCHES = 12;
  private static final int MOST = 1 << 16;

  /** Splits and caches ratings. */
  public static RatingSplit of(Dataset<Row> ratings) {
    Dataset<Row> drawn = ratings.withColumn("draw", expr("xxhash64(user, item)"));
    Dataset<Row> training = drawn.where("draw % 10 != 0").persist();
    Row summary = training.selectExpr("count(*)", "avg(rating)").first();
    return new RatingSplit(
        training, drawn.where("draw % 10 = 0").persist(), summary.getLong(0), summary.getDouble(1));
  }

  /** Returns the mini-batches of an epoch, again and again. */
  public Batches<Ratings> batches() {
    Dataset<Row> shards =
        training
            .repartitionById(SHARDS, expr("cast(pmod(draw div 10, " + SHARDS + ") AS int)"))
            .sortWithinPartitions("draw", "rating")
            .select(col("user"), col("item"), col("rating"));
    return RowGroups.batches(shards, size(), Ratings::of);
  }

  /** The steps of an epoch. */
  public int steps() {
    return (int) Math.max(1, count / ((long) SHARDS * size()));
  }

  /** A large part sends a popular row once for many ratings. */
  private int size() {
    return (int) Math.max(1, Math.min(MOST, count / (SHARDS * BATCHES)));
  }
}
