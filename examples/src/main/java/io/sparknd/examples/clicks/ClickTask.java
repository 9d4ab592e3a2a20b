/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A click log to learn.
 *
 * @param clicks {@code position}, {@code label}, {@code features}, and {@code truth} if it is known
 * @param buckets the features that MLlib's dense model distinguishes: numbers, or remainders of
 *     keys
 * @param epochs passes over the training examples, if the user gives no other number: a model of
 *     rare features knows them by heart after one
 */
public record ClickTask(Dataset<Row> clicks, int buckets, int epochs) {
  private static final int[] SIZES = {4_000, 2_000, 500, 100, 50, 24, 12, 7};
  private static final int HASHED = 1 << 18;
  private static final long SEED = 1;

  /** Generates a log. */
  public static ClickTask planted(SparkSession spark, long count) {
    ClickLog log = new ClickLog(SIZES, ClickExperiment.FACTORS, SEED);
    return new ClickTask(log.examples(spark, count), log.features(), 3);
  }

  /** Reads a log; see {@link CriteoFile#read}. */
  public static ClickTask criteo(SparkSession spark, String path) {
    return new ClickTask(CriteoFile.read(spark, path), HASHED, 1);
  }
}
