/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A commit of 1,000 uniform updates to tables of more and more rows, one after the other. */
final class CommitGrowth {
  private static final int THREADS = 2;
  private static final int UPDATES = 1_000;
  private static final int STEP = 10;
  private static final int PARTITIONS = 8;

  /** The least growth with ten times as many rows that does not meet the goal. */
  private static final double GOAL = 4;

  private final SparkSession spark;
  private final Path directory;
  private final GrowthTable kind;
  private final ChangeRounds pace;
  private final Map<Integer, Lake> lakes = new LinkedHashMap<>();
  private final Map<Integer, List<Opening>> costs = new LinkedHashMap<>();

  /**
   * The cost of one commit.
   *
   * @param files how often a file was opened to read it
   */
  private record Opening(Cost cost, double files) {}

  CommitGrowth(SparkSession spark, Path directory, GrowthTable kind, ChangeRounds pace) {
    this.spark = spark;
    this.directory = directory;
    this.kind = kind;
    this.pace = pace;
  }

  /**
   * Compares each number of rows with a tenth of it.
   *
   * @param sizes numbers of rows
   */
  List<WorkComparison> run(List<Integer> sizes) {
    TreeSet<Integer> all = new TreeSet<>(sizes);
    sizes.forEach(rows -> all.add(rows / STEP));
    all.forEach(this::create);
    List<Integer> order = List.copyOf(all);
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      for (int i = 0; i < order.size(); i++) {
        int rows = order.get(Math.floorMod(i + round, order.size()));
        Opening found = commit(rows, round == -pace.warmups());
        if (round >= 0) {
          costs.get(rows).add(found);
        }
      }
    }
    List<WorkComparison> comparisons = new ArrayList<>();
    for (int rows : sizes) {
      comparisons.add(growth(rows, ": a commit of 1,000 updates", "ms", of -> of.cost().millis()));
      comparisons.add(growth(rows, "/read: bytes read", "MB", of -> of.cost().megabytesRead()));
      comparisons.add(growth(rows, "/opened: files opened", "files", Opening::files));
    }
    lakes.values().forEach(Lake::drop);
    return comparisons;
  }

  private void create(int rows) {
    Lake lake = new Lake(spark, Lake.COUNTED, "growth_" + kind + "_" + rows);
    lake.drop();
    kind.create(spark, lake.name(), rows);
    kind.commit(spark, lake.name(), kind.rows(spark.range(0, rows, 1, PARTITIONS).toDF(), 0));
    lake.keep();
    lakes.put(rows, lake);
    costs.put(rows, new ArrayList<>());
  }

  private Opening commit(int rows, boolean isChecked) {
    Lake lake = lakes.get(rows);
    Dataset<Row> updates = updates(rows);
    long expected = isChecked ? sum(updates) + sum(spark.table(lake.name())) : 0;
    long before = CountingFileIO.opened();
    long[] opened = new long[1];
    Cost cost =
        Cost.of(
            lake,
            () -> {
              kind.commit(spark, lake.name(), updates);
              opened[0] = CountingFileIO.opened() - before;
            });
    if (isChecked && sum(spark.table(lake.name())) != expected) {
      throw new IllegalStateException(kind.id(rows) + ": unexpected sum");
    }
    System.out.printf("  %s: %s, %d files opened%n", kind.id(rows), cost, opened[0]);
    lake.restore();
    return new Opening(cost, opened[0]);
  }

  private long sum(Dataset<Row> rows) {
    return rows.selectExpr(kind.sum()).head().getLong(0);
  }

  private Dataset<Row> updates(int rows) {
    Path path = directory.resolve("growth-" + kind + "-" + rows);
    if (!Files.exists(path.resolve("_SUCCESS"))) {
      Dataset<Row> ids =
          spark
              .createDataset(UpdatedKeys.UNIFORM.draw(UPDATES, rows, 1), Encoders.LONG())
              .toDF("id");
      kind.rows(ids, 1).repartition(THREADS).write().mode("overwrite").parquet(path.toString());
    }
    return spark.read().parquet(path.toString());
  }

  private WorkComparison growth(
      int rows, String title, String unit, ToDoubleFunction<Opening> value) {
    return new WorkComparison(
        kind.id(rows) + title,
        THREADS,
        GOAL,
        unit,
        List.of(
            result(kind.id(rows), Role.OURS, rows, value),
            result("as " + kind.id(rows / STEP), Role.CORRECT, rows / STEP, value)));
  }

  private PeerResult result(String name, Role role, int rows, ToDoubleFunction<Opening> value) {
    List<Double> values = costs.get(rows).stream().mapToDouble(value).boxed().toList();
    return new PeerResult(name, role, new Samples(values));
  }
}
