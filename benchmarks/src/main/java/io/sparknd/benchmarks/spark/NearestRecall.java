/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import com.sun.management.OperatingSystemMXBean;
import io.sparknd.benchmarks.report.Machine;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.nearest.HnswIndex;
import io.sparknd.embedding.nearest.NearestRow;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Measures the exact search in the cluster, and speed and recall of the HNSW index. Rows and
 * queries are drawn from a normal distribution, which is hard for an index: neighbors are hardly
 * nearer than other rows. Each figure is of one run after a warm-up. Times are CPU time, so that
 * other work on the machine counts little.
 */
public final class NearestRecall {
  private static final int DIM = 64;
  private static final int K = 10;
  private static final int QUERIES = 1000;
  private static final int[] CANDIDATES = {10, 50, 100, 200, 500, 1000};
  private static final int PARTITIONS = 8;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private NearestRecall() {}

  /**
   * @param args the file of the report, and {@code --quick} for fewer rows
   */
  public static void main(String[] args) throws Exception {
    long rows = List.of(args).contains("--quick") ? 10_000 : 100_000;
    StringBuilder report = new StringBuilder();
    try (SparkSession spark = SparkSuite.session()) {
      spark.sparkContext().setLogLevel("ERROR");
      EmbeddingTable table = table(spark, rows, 1);
      Dataset<Row> queries = table(spark, QUERIES, 2).toDataset().persist();
      report.append(section(table, queries, VectorMetric.COSINE));
    }
    Files.writeString(
        Files.createDirectories(Path.of(args[0])).resolve("nearest.md"), page(rows, report));
  }

  /** Returns a table whose rows are all written. */
  private static EmbeddingTable table(SparkSession spark, long rows, long seed) {
    EmbeddingSpec spec =
        EmbeddingSpec.of(rows, DIM, Optimizer.sgd(1))
            .withInitializer(Initializer.normal(0, 1, seed))
            .withPartitions(PARTITIONS);
    return EmbeddingTable.create(spark, spec)
        .apply(
            spark.range(rows).selectExpr("id", "array_repeat(0f, " + DIM + ") AS gradient"),
            TensorColumns.of("gradient", "id"));
  }

  private static String page(long rows, StringBuilder sections) throws Exception {
    return String.format(
        Locale.ROOT,
        "# Benchmark suite: nearest%n%n%s.%n%,d rows of %d float32 from a normal distribution, %,d"
            + " queries of the same, %d neighbors. Random vectors are hard for an index: trained"
            + " ones have nearer neighbors.%n%s",
        Machine.describe(),
        rows,
        DIM,
        QUERIES,
        K,
        sections);
  }

  private static String section(EmbeddingTable table, Dataset<Row> queries, VectorMetric metric)
      throws Exception {
    StringBuilder section = new StringBuilder();
    Map<Long, Set<Long>> exact = new HashMap<>();
    double seconds = exact(table, queries, metric, exact);
    section.append(
        String.format(
            Locale.ROOT,
            "%n## %s%n%nExact search: %,.0f queries a second and core, %.1f billion products a second"
                + " and core.%n",
            metric,
            QUERIES / seconds,
            QUERIES * (double) table.rows() * DIM / seconds / 1e9));
    Path directory = Files.createTempDirectory("nearest").resolve("index");
    double start = processSeconds();
    List<Path> files = table.export(ExportFormat.hnsw(metric), directory);
    double built = processSeconds() - start;
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    section.append(
        String.format(
            Locale.ROOT,
            "The index took %.0f s of one core, and has %d MB. One thread, CPU"
                + " seconds:%n%n| candidates | recall@%d | queries a second |%n"
                + "| --- | --- | --- |%n",
            built,
            bytes / 1_000_000,
            K));
    try (HnswIndex index = HnswIndex.open(directory)) {
      for (int candidates : CANDIDATES) {
        section.append(line(index, queries.collectAsList(), candidates, exact));
      }
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(directory);
    return section.toString();
  }

  /** Returns the seconds of the second run, and puts the neighbors of each query in a map. */
  private static double exact(
      EmbeddingTable table,
      Dataset<Row> queries,
      VectorMetric metric,
      Map<Long, Set<Long>> neighbors) {
    table.nearest(queries, K, metric).collectAsList();
    double start = processSeconds();
    List<Row> found = table.nearest(queries, K, metric).collectAsList();
    double seconds = processSeconds() - start;
    for (Row row : found) {
      neighbors.computeIfAbsent(row.getLong(0), id -> new HashSet<>()).add(row.getLong(2));
    }
    return seconds;
  }

  private static double processSeconds() {
    return PROCESS.getProcessCpuTime() / 1e9;
  }

  private static String line(
      HnswIndex index, List<Row> queries, int candidates, Map<Long, Set<Long>> exact) {
    List<float[]> vectors = new ArrayList<>();
    for (Row query : queries) {
      List<Float> elements = query.getList(1);
      float[] vector = new float[DIM];
      for (int j = 0; j < DIM; j++) {
        vector[j] = elements.get(j);
      }
      vectors.add(vector);
    }
    vectors.forEach(vector -> index.nearest(vector, K, candidates));
    long hits = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < vectors.size(); i++) {
      Set<Long> expected = exact.get(queries.get(i).getLong(0));
      for (NearestRow row : index.nearest(vectors.get(i), K, candidates)) {
        hits += expected.contains(row.id()) ? 1 : 0;
      }
    }
    double seconds = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    return String.format(
        Locale.ROOT,
        "| %d | %.3f | %,.0f |%n",
        candidates,
        hits / (double) (K * vectors.size()),
        vectors.size() / seconds);
  }
}
