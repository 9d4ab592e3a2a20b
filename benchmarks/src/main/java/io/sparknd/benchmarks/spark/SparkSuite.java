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

  /** The compiler of the JVM works beside the first two or three on the same cores. */
  private static final QueryRounds FACTORIZATIONS = new QueryRounds(4, 7);

  private static final QueryRounds FEW_FACTORIZATIONS = new QueryRounds(0, 1);
  private static final String MEMORY = "memory";
  private static final String LOCAL = "local[2]";
  private static final String CLUSTER = "local-cluster[2,1,3072]";

  private SparkSuite() {}

  /**
   * @param args {@code spark}, {@code scale}, {@code memory}, {@code embedding} or {@code
   *     embedding-cluster}, the directory of the report, the directory of input files, then
   *     options: {@code --quick}, ids of the benchmarks to run, and {@code --merge} to keep the
   *     other results of the report
   */
  public static void main(String[] args) throws Exception {
    List<String> rest = List.of(args).subList(3, args.length);
    boolean quick = rest.contains("--quick");
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    Size size = quick ? Size.QUICK : Size.FULL;
    Path inputs = Files.createDirectories(Path.of(args[2]));
    try (SparkSession spark = session(master(args[0]))) {
      spark.sparkContext().setLogLevel("ERROR");
      List<WorkComparison> comparisons = compared(args[0], spark, size, inputs, ids);
      SuiteReport report = SuiteReport.of(args[0], heading(args[0], size), comparisons);
      Path directory = Path.of(args[1]);
      SuiteReport all = rest.contains("--merge") ? report.mergedInto(directory) : report;
      all.write(directory);
    }
  }

  private static List<WorkComparison> compared(
      String suite, SparkSession spark, Size size, Path inputs, List<String> ids) {
    if (suite.equals(MEMORY)) {
      return new MemoryWorks(spark, size, inputs.toAbsolutePath()).run(ids);
    }
    List<WorkComparison> comparisons = new ArrayList<>();
    for (SparkWork work : works(suite, spark, size, inputs)) {
      if (ids.isEmpty() || ids.contains(work.id())) {
        WorkComparison comparison = rounds(suite, spark, size.pace()).run(work);
        System.out.println(comparison.line());
        comparisons.add(comparison);
      }
    }
    boolean isFull = size.equals(Size.FULL);
    if (suite.equals("embedding") && isFull && (ids.isEmpty() || ids.contains(HeapRows.ID))) {
      comparisons.add(new HeapRows().run());
    }
    return comparisons;
  }

  /**
   * Queries that are known to be slow run once; the others are few, and compared in every round.
   */
  private static Rounds rounds(String suite, SparkSession spark, QueryRounds pace) {
    return suite.equals("spark") ? Rounds.ofFast(spark, pace) : Rounds.ofAll(spark, pace);
  }

  private static String master(String suite) {
    return suite.equals("embedding-cluster") ? CLUSTER : LOCAL;
  }

  static SparkSession session() {
    return session(LOCAL);
  }

  private static SparkSession session(String master) {
    String classPath = System.getProperty("java.class.path");
    return SparkSession.builder()
        .appName("sparknd benchmarks")
        .master(master)
        .config("spark.executor.extraClassPath", classPath) // without effect in local mode
        .config("spark.executor.memory", "3g")
        .config("spark.executor.extraJavaOptions", "-XX:+UseParallelGC") // as the driver
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.extensions", "io.sparknd.sql.NdExtensions")
        // Spark's default of 200 would only slow down the peers
        .config("spark.sql.shuffle.partitions", "8")
        // Spark's default of 128 would sort the rows of peers that aggregate arrays
        .config("spark.sql.objectHashAggregate.sortBased.fallbackThreshold", "1000000")
        .getOrCreate();
  }

  private static List<SparkWork> works(
      String suite, SparkSession spark, Size size, Path directory) {
    return switch (suite) {
      case "spark" -> sparkWorks(spark, size, directory);
      case "scale" -> scaleWorks(spark, size, directory);
      case "embedding-cluster" -> new FmWorks(spark, factorizations(size)).clusterWorks();
      default -> embeddingWorks(spark, size);
    };
  }

  private static List<SparkWork> embeddingWorks(SparkSession spark, Size size) {
    QueryRounds trainings = size.equals(Size.FULL) ? TRAININGS : FEW_TRAININGS;
    List<SparkWork> works = new ArrayList<>(new EmbeddingSteps(spark, trainings).works());
    works.addAll(new FmWorks(spark, factorizations(size)).works());
    return works;
  }

  private static QueryRounds factorizations(Size size) {
    return size.equals(Size.FULL) ? FACTORIZATIONS : FEW_FACTORIZATIONS;
  }

  private static List<SparkWork> sparkWorks(SparkSession spark, Size size, Path directory) {
    QueryInputs inputs = new QueryInputs(spark, size, directory);
    List<SparkWork> works = new ArrayList<>(new TableWorks(inputs, size).all());
    works.add(new Exchanges(spark, size).work());
    works.add(new LoopSteps(spark, size).work());
    works.addAll(new RowTensors(inputs).works());
    works.addAll(new PushdownWorks(spark, inputs, size).works());
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
            "Spark %s, %s; a %s run.",
            org.apache.spark.package$.MODULE$.SPARK_VERSION(),
            master(suite),
            size.equals(Size.FULL) ? "full" : "quick");
    return switch (suite) {
      case MEMORY ->
          run
              + String.format(
                  " A JVM of 1 GiB of heap for each run; a table of %,d x %d float32 and as many"
                      + " Zipf(1.1) updates, %,d cells and %,d updates.",
                  size.rows(), Size.WIDTH, size.cells(), size.cellUpdates());
      case "scale" -> run + " Rows of 16 float32 in a table of 1,000,000.";
      case "embedding" ->
          run
              + " 2 shards; fm: 2 partitions, 999,986 rows; others: Adagrad, 8 partitions, rows"
              + " drawn uniformly.";
      case "embedding-cluster" -> run + " 2 shards, 2 partitions, 999,986 rows.";
      default ->
          run
              + String.format(
                  " A table of %,d x %d float32 in Parquet and as many Zipf(1.1) updates; %,d cells"
                      + " and %,d updates; results go to the noop sink.",
                  size.rows(), Size.WIDTH, size.cells(), size.cellUpdates());
    };
  }
}
