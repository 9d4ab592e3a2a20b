/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.Comparison;
import io.sparknd.benchmarks.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Runs every piece of work on Spark in one session of two cores. */
public final class SparkSuite {
  private SparkSuite() {}

  /**
   * @param args the directory for the report, the one for input files, then {@code --quick} and ids
   *     of work to leave all other work out
   */
  public static void main(String[] args) throws Exception {
    List<String> rest = List.of(args).subList(2, args.length);
    boolean quick = rest.contains("--quick");
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    Size size = quick ? Size.QUICK : Size.FULL;
    try (SparkSession spark = session()) {
      spark.sparkContext().setLogLevel("ERROR");
      List<Comparison> comparisons = new ArrayList<>();
      for (SparkWork work : works(spark, size, Path.of(args[1]))) {
        if (ids.isEmpty() || ids.contains(work.id())) {
          Comparison comparison = new Rounds(spark, size).run(work);
          System.out.println(comparison.line());
          comparisons.add(comparison);
        }
      }
      new Report("spark", heading(quick, size), comparisons).write(Path.of(args[0]));
    }
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .appName("sparknd benchmarks")
        .master("local[2]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        // 200, Spark's own choice, would only slow the peers down
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate();
  }

  private static List<SparkWork> works(SparkSession spark, Size size, Path directory) {
    Inputs inputs = new Inputs(spark, size, directory);
    List<SparkWork> works = new ArrayList<>(new TableWorks(inputs, size).all());
    works.add(new Exchanges(spark, size).work());
    works.add(new Steps(spark, size).work());
    return works;
  }

  private static String heading(boolean quick, Size size) {
    return String.format(
        "Spark %s, local[2]; %s run. A table of %,d x %d float32 in Parquet and as many Zipf(1.1)"
            + " updates; %,d cells and %,d updates; results go to the noop sink.",
        org.apache.spark.package$.MODULE$.SPARK_VERSION(),
        quick ? "a quick" : "a full",
        size.rows(),
        Size.WIDTH,
        size.cells(),
        size.cellUpdates());
  }
}
