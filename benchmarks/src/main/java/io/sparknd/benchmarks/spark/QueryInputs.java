/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.kernel.Zipf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Input Parquet files, created once. Values are small integers, so that sums are exact in any
 * order. They are neither compressed nor dictionary-encoded, because real values would not
 * compress.
 */
final class QueryInputs {
  private static final int FILES = 4;

  private final SparkSession spark;
  private final Size size;
  private final Path directory;

  QueryInputs(SparkSession spark, Size size, Path directory) {
    this.spark = spark;
    this.size = size;
    this.directory = directory;
  }

  /**
   * Creates the files of the table, the cells, and what reads or updates them, unless they exist.
   */
  void create() {
    table();
    updates();
    lookups();
    cells();
    cellUpdates();
  }

  /** {@code id bigint, value array<float>}: all rows of the table. */
  Dataset<Row> table() {
    return stored("table", () -> range(size.rows()).select(functions.col("id"), slice(1 << 20)));
  }

  /** {@code id bigint, value array<float>}: as many updates, with ids of distribution Zipf(1.1). */
  Dataset<Row> updates() {
    return updates("updates", size.rows());
  }

  /** The same, a hundredth as many. */
  Dataset<Row> fewUpdates() {
    return updates("few-updates", size.rows() / 100);
  }

  private Dataset<Row> updates(String name, int count) {
    return stored(name, () -> range(count).select(zipf(size.rows()).as("id"), slice(64)));
  }

  /**
   * {@code position bigint, id bigint}: as many rows to look up, with ids of distribution
   * Zipf(1.1).
   */
  Dataset<Row> lookups() {
    return stored(
        "lookups",
        () ->
            range(size.rows())
                .select(functions.col("id").as("position"), zipf(size.rows()).as("id")));
  }

  /** {@code id bigint, value float}: all cells. */
  Dataset<Row> cells() {
    return stored("cells", () -> range(size.cells()).select(functions.col("id"), scalar(1 << 20)));
  }

  /** {@code id bigint, value float}: updates of uniformly drawn cells. */
  Dataset<Row> cellUpdates() {
    return stored(
        "cell-updates",
        () ->
            range(size.cellUpdates())
                .select(
                    functions
                        .pmod(functions.xxhash64(functions.col("id")), functions.lit(size.cells()))
                        .as("id"),
                    scalar(64)));
  }

  /**
   * {@code id bigint, tensor array<array<float>>, indices array<array<int>>, updates
   * array<array<float>>}: each row has a tensor [16, 8] and updates of ten distinct slices.
   */
  Dataset<Row> rowTensors() {
    return stored(
        "row-tensors",
        () ->
            range(size.rows())
                .selectExpr(
                    "id",
                    matrix(16, 1 << 20) + " AS tensor",
                    // distinct, because 3 and 16 are coprime
                    "transform(sequence(0, 9), i -> array(int((id + 3 * i) % 16))) AS indices",
                    matrix(10, 64) + " AS updates"));
  }

  private static String matrix(int rows, int bound) {
    return String.format(
        "transform(sequence(1, %d), i -> transform(sequence(1, 8), j -> float(pmod(hash(id, i, j),"
            + " %d))))",
        rows, bound);
  }

  private Dataset<Row> range(long rows) {
    return spark.range(0, rows, 1, FILES).toDF();
  }

  private Column zipf(int n) {
    int[] drawn = new Zipf(n, 1.1, 11).draw(n);
    UDF1<Long, Long> draw = row -> (long) drawn[row.intValue()];
    return functions.udf(draw, DataTypes.LongType).apply(functions.col("id"));
  }

  private static Column slice(int bound) {
    return functions
        .transform(
            functions.sequence(functions.lit(1), functions.lit(Size.WIDTH)),
            column -> whole(bound, functions.col("id"), column))
        .as("value");
  }

  private static Column scalar(int bound) {
    return whole(bound, functions.col("id")).as("value");
  }

  private static Column whole(int bound, Column... seeds) {
    return functions.pmod(functions.hash(seeds), functions.lit(bound)).cast("float");
  }

  /** A table of this size, which is made if there are no files of the name. */
  Dataset<Row> stored(String name, Supplier<Dataset<Row>> make) {
    Path path = directory.resolve(name + "-" + size.rows());
    if (!Files.exists(path.resolve("_SUCCESS"))) {
      make.get()
          .write()
          .mode("overwrite")
          .option("compression", "uncompressed")
          .option("parquet.enable.dictionary", "false")
          .parquet(path.toString());
    }
    return spark.read().parquet(path.toString());
  }
}
