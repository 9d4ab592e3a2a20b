/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.hash;
import static org.apache.spark.sql.functions.lit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Rows {@code (key, values)} of tables and of updates. Keys are UUIDs, as text. Updates are in
 * Parquet files, created once, and in no order.
 */
final class KeyedInputs {
  private static final int FILES = 4;
  private static final int PARTITIONS = 8;

  private final SparkSession spark;
  private final Path directory;

  KeyedInputs(SparkSession spark, Path directory) {
    this.spark = spark;
    this.directory = directory;
  }

  /** SQL for the bucket of a key, as Iceberg computes it. */
  static String bucket(int buckets) {
    return Lake.CATALOG + ".system.bucket(" + buckets + ", key)";
  }

  /** Returns all rows of a table, in no order. */
  Dataset<Row> table(KeyedValues values, int rows) {
    return withValues(keys(rows), values, 0);
  }

  /** Returns all rows of a table, one partition per bucket, each sorted by key. */
  Dataset<Row> bucketed(KeyedValues values, int rows, int buckets) {
    return table(values, rows)
        .withColumn("bucket", expr(bucket(buckets)))
        .repartitionById(buckets, col("bucket"))
        .drop("bucket")
        .sortWithinPartitions("key");
  }

  private Dataset<Row> keys(int rows) {
    return keys(spark.range(0, rows, 1, PARTITIONS).toDF());
  }

  /**
   * Returns the keys of numbered rows.
   *
   * @param ids rows with their numbers in a column {@code id}
   * @param others columns to keep
   */
  static Dataset<Row> keys(Dataset<Row> ids, String... others) {
    Column key =
        concat_ws(
                "-",
                expr("substr(digits, 1, 8)"),
                expr("substr(digits, 9, 4)"),
                expr("substr(digits, 13, 4)"),
                expr("substr(digits, 17, 4)"),
                expr("substr(digits, 21, 12)"))
            .as("key");
    List<Column> columns = new ArrayList<>(List.of(key));
    Stream.of(others).map(functions::col).forEach(columns::add);
    return ids.withColumn("digits", functions.md5(col("id").cast("string")))
        .select(columns.toArray(Column[]::new));
  }

  /** Adds the values of keys; with salt 0, those that the table has at first. */
  static Dataset<Row> withValues(Dataset<Row> keys, KeyedValues values, int salt) {
    List<Column> columns = new ArrayList<>(List.of(col("key")));
    columns.addAll(values.draw(col("hash"), salt));
    return keys.select(col("key"), hash(col("key"), lit(salt)).as("hash"))
        .select(columns.toArray(Column[]::new));
  }

  /**
   * Returns updates of distinct keys.
   *
   * @param seed at least 1; each seed gives other keys and values
   */
  Dataset<Row> updates(KeyedChange change, int seed) {
    Path path = directory.resolve("keyed-" + change.id() + "-" + seed);
    if (!Files.exists(path.resolve("_SUCCESS"))) {
      Dataset<Row> keys = change.keys().of(keys(change.rows()), change, seed).repartition(FILES);
      withValues(keys, change.values(), seed).write().mode("overwrite").parquet(path.toString());
    }
    return spark.read().parquet(path.toString());
  }
}
