/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.SuiteReport;
import io.sparknd.benchmarks.report.WorkComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Runs the benchmarks of a suite on Spark, in one session with two cores. */
public final class SparkSuite {
  private static final int MILLION = 1_000_000;
  private static final QueryRounds TRAININGS = new QueryRounds(12, 15);
  private static final QueryRounds FEW_TRAININGS = new QueryRounds(2, 3);

  private SparkSuite() {}

  /**
   * @param args {@code spark}, {@code scale} or {@code embedding}, the directory of the report, the
   *     directory of input files, then options: {@code --quick}, ids of the benchmarks to run, and
   *     {@code --merge} to keep the other results of the report
   */
  public static void main(String[] args) throws Exception {
    List<String> rest = List.of(args).subList(3, args.length);
    boolean quick = rest.contains("--quick");
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    Size size = quick ? Size.QUICK : Size.FULL;
    Path inputs = Files.createDirectories(Path.of(args[2]));
    try (SparkSession spark = session()) {
      spark.sparkContext().setLogLevel("ERROR");
      List<WorkComparison> comparisons = new ArrayList<>();
      for (SparkWork work : works(args[0], spark, size, inputs)) {
        if (ids.isEmpty() || ids.contains(work.id())) {
          WorkComparison comparison = new Rounds(spark, size.pace()).run(work);
          System.out.println(comparison.line());
          comparisons.add(comparison);
        }
      }
      if (args[0].equals("embedding") && !quick && (ids.isEmpty() || ids.contains(HeapRows.ID))) {
        comparisons.add(new HeapRows().run());
      }
      SuiteReport report = SuiteReport.of(args[0], heading(args[0], size), comparisons);
      Path directory = Path.of(args[1]);
      SuiteReport all =
          rest.contains("--merge") ? SuiteReport.read(args[0], directory).with(report) : report;
      all.write(directory);
    }
  }

  static SparkSession session() {
    return SparkSession.builder()
        .appName("sparknd benchmarks")
        .master("local[2]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        // Spark's default of 200 would only slow down the peers
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate();
  }

  private static List<SparkWork> works(
      String suite, SparkSession spark, Size size, Path directory) {
    return switch (suite) {
      case "spark" -> sparkWorks(spark, size, directory);
      case "scale" -> scaleWorks(spark, size, directory);
      default ->
          new EmbeddingSteps(spark, size.equals(Size.FULL) ? TRAININGS : FEW_TRAININGS).works();
    };
  }

  private static List<SparkWork> sparkWorks(SparkSession spark, Size size, Path directory) {
    QueryInputs inputs = new QueryInputs(spark, size, directory);
    List<SparkWork> works = new ArrayList<>(new TableWorks(inputs, size).all());
    works.add(new Exchanges(spark, size).work());
    works.add(new LoopSteps(spark, size).work());
    works.addAll(new RowTensors(inputs).works());
    return works;
  }

  private static List<SparkWork> scaleWorks(SparkSession spark, Size size, Path directory) {
    boolean full = size.equals(Size.FULL);
    List<SparkWork> works = new ArrayList<>(new Scale(spark, MILLION, full ? 100 : 10).works());
    works.add(new LargeTensor(spark, directory, (full ? 80L : 40L) << 20).work());
    return works;
  }

  private static String heading(String suite, Size size) {
    String run =
        String.format(
            "Spark %s, local[2]; a %s run.",
            org.apache.spark.package$.MODULE$.SPARK_VERSION(),
            size.equals(Size.FULL) ? "full" : "quick");
    return switch (suite) {
      case "scale" -> run + " Rows of 16 float32 in a table of 1,000,000.";
      case "embedding" -> run + " Adagrad, 2 shards, 8 partitions, rows drawn uniformly.";
      default ->
          run
              + String.format(
                  " A table of %,d x %d float32 in Parquet and as many Zipf(1.1) updates; %,d cells"
                      + " and %,d updates; results go to the noop sink.",
                  size.rows(), Size.WIDTH, size.cells(), size.cellUpdates());
    };
  }
}
