/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Rows {@code (i0, value)} of tables and of updates. Updates are in Parquet files, created once.
 */
final class TableInputs {
  private static final int FILES = 4;

  private final SparkSession spark;
  private final Path directory;

  TableInputs(SparkSession spark, Path directory) {
    this.spark = spark;
    this.directory = directory;
  }

  /** Returns all rows of a table, one partition per block of {@code perBlock} rows. */
  Dataset<Row> table(Layout layout, int rows, long perBlock) {
    int blocks = (int) ((rows + perBlock - 1) / perBlock);
    return spark
        .range(0, blocks * perBlock, 1, blocks)
        .where(functions.col("id").lt(rows))
        .select(functions.col("id").as("i0"), base(layout, functions.col("id")).as("value"));
  }

  /** The initial value of a row. */
  static Column base(Layout layout, Column row) {
    return layout.slice(row, 0);
  }

  /**
   * Returns updates of distinct rows, in no defined order.
   *
   * @param layout the layout of the values
   * @param seed at least 1; each seed gives other rows and values
   */
  Dataset<Row> updates(Change change, Layout layout, int seed) {
    String name =
        String.format(
            "merge-%d-%s-%d-%s-%d", change.rows(), change.keys(), change.percent(), layout, seed);
    Path path = directory.resolve(name);
    if (!Files.exists(path.resolve("_SUCCESS"))) {
      Column row = functions.col("i0");
      spark
          .createDataset(change.keys().draw(change.updates(), change.rows(), seed), Encoders.LONG())
          .toDF("i0")
          .repartition(FILES)
          .select(row, layout.slice(row, seed).as("value"))
          .write()
          .mode("overwrite")
          .parquet(path.toString());
    }
    return spark.read().parquet(path.toString());
  }
}
