/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.MutableURLClassLoader;

/**
 * Times queries over a Parquet file of tensors, {@code [16, 16]} float32 in each row, with the
 * Accelerator and on the same machine's CPU.
 *
 * <pre>QueryBenchmark DIRECTORY [ROWS]</pre>
 *
 * <p>Prints a table of medians in milliseconds. Checks that both give the same result.
 */
public final class QueryBenchmark {
  private static final int WARM_UP = 2;
  private static final int ROUNDS = 5;

  private static final String COLUMNS =
      "transform(sequence(0, 15), r -> transform(sequence(0, 15), "
          + "c -> CAST((id * 31 + r * 16 + c) % 1000 AS FLOAT))) AS t, "
          + "transform(sequence(0, 7), r -> array(CAST((id + r * 3) % 16 AS INT))) AS i, "
          + "transform(sequence(0, 7), r -> transform(sequence(0, 15), "
          + "c -> CAST((id + r + c) % 100 AS FLOAT))) AS u";

  private final SparkSession spark;
  private final String table;

  private QueryBenchmark(SparkSession spark, String table) {
    this.spark = spark;
    this.table = table;
  }

  public static void main(String[] args) throws Exception {
    Thread thread = Thread.currentThread();
    thread.setContextClassLoader(
        new MutableURLClassLoader(new URL[0], thread.getContextClassLoader()));
    long rows = args.length > 1 ? Long.parseLong(args[1]) : 400_000;
    Path file = Files.createTempDirectory(Path.of(args[0]), "queries").resolve("tensors");
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[*]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.files.maxPartitionBytes", "256m")
            .getOrCreate()) {
      spark.conf().set("spark.rapids.sql.enabled", "false");
      spark
          .range(0, rows, 1, 16)
          .selectExpr(COLUMNS.split("(?<=AS [tiu]), "))
          .write()
          .parquet(file.toString());
      new QueryBenchmark(spark, "parquet.`" + file + "`").run();
    }
  }

  private void run() {
    System.out.println("| query | GPU, ms | CPU, ms | ratio |");
    System.out.println("| --- | --- | --- | --- |");
    queries().forEach(this::print);
  }

  private Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("a scan alone", "max(t[3][5]), max(i[7][0]), max(u[7][15])");
    queries.put("gather_nd", "max(gather_nd(t, i, depth => 1)[7][15])");
    queries.put("tensor_scatter_nd_update", "max(tensor_scatter_nd_update(t, i, u)[3][5])");
    queries.put("tensor_scatter_nd_add", "max(tensor_scatter_nd_add(t, i, u)[3][5])");
    queries.put("scatter_nd", "max(scatter_nd(i, u, array(16, 16))[3][5])");
    return queries;
  }

  private void print(String name, String columns) {
    String sql = "SELECT " + columns + " FROM " + table;
    String expected = result("false", sql);
    if (!result("true", sql).equals(expected)) {
      throw new IllegalStateException("results of " + sql + " differ");
    }
    double there = millis("true", sql);
    double here = millis("false", sql);
    System.out.printf(
        Locale.ROOT, "| %s | %.0f | %.0f | %.2f |%n", name, there, here, there / here);
  }

  private String result(String rapids, String sql) {
    spark.conf().set("spark.rapids.sql.enabled", rapids);
    return spark.sql(sql).collectAsList().toString();
  }

  private double millis(String rapids, String sql) {
    double[] millis = new double[ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      long start = System.nanoTime();
      result(rapids, sql);
      millis[Math.max(0, round)] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return millis[ROUNDS / 2];
  }
}
