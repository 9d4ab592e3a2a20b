/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.SuiteReport;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.benchmarks.table.Change.Reduction;
import io.sparknd.benchmarks.table.DeltaStore.Vectors;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** Updates tables by scatter and by MERGE INTO, in one session with two cores. */
public final class TableSuite {
  private static final int MILLION = 1_000_000;
  private static final ChangeRounds QUICK = new ChangeRounds(1, 3, 3);
  private static final ChangeRounds FULL = new ChangeRounds(2, 7, 9);
  private static final ChangeRounds MANY = new ChangeRounds(3, 21, 0);
  private static final ChangeRounds LARGE = new ChangeRounds(1, 3, 0);
  private static final ChangeRounds QUICK_KEYED = new ChangeRounds(1, 2, 1);
  private static final ChangeRounds KEYED = new ChangeRounds(2, 5, 1);
  private static final ChangeRounds LARGE_KEYED = new ChangeRounds(1, 3, 1);

  private final boolean quick;
  private final SparkSession spark;
  private final Path directory;
  private final TableInputs inputs;
  private final TableOracle oracle;
  private final KeyedWorks keyed;
  private final List<Store> stores;

  /** Our stores, and the peers that include the fastest one in every run with all stores. */
  private final List<Store> fastest;

  private TableSuite(SparkSession spark, Path directory, boolean quick) {
    this.quick = quick;
    this.spark = spark;
    this.directory = directory;
    this.inputs = new TableInputs(spark, directory);
    this.oracle = new TableOracle(inputs);
    this.keyed = new KeyedWorks(spark, directory);
    TensorStore ours = new TensorStore(spark, inputs, Mode.MERGE_ON_READ);
    Store oursWhole = new TensorStore(spark, inputs, Mode.COPY_ON_WRITE);
    Store mergeOnRead = new IcebergStore(spark, inputs, ours::rowsPerBlock, Mode.MERGE_ON_READ);
    Store copyOnWrite = new IcebergStore(spark, inputs, ours::rowsPerBlock, Mode.COPY_ON_WRITE);
    this.fastest = List.of(ours, oursWhole, mergeOnRead, copyOnWrite);
    // creating the other tables takes a minute
    this.stores =
        quick
            ? List.of(ours, mergeOnRead)
            : List.of(
                ours,
                oursWhole,
                mergeOnRead,
                copyOnWrite,
                new DeltaStore(spark, inputs, ours::rowsPerBlock, Vectors.ON, directory),
                new DeltaStore(spark, inputs, ours::rowsPerBlock, Vectors.OFF, directory));
  }

  /**
   * @param args the directory of the report, the directory of tables and input files, then options:
   *     {@code --quick} or {@code --merge}, and prefixes of the ids of the benchmarks to run
   */
  public static void main(String[] args) throws Exception {
    List<String> rest = List.of(args).subList(2, args.length);
    boolean quick = rest.contains("--quick");
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    Path directory = Files.createDirectories(Path.of(args[1]));
    try (SparkSession spark = session(directory)) {
      spark.sparkContext().setLogLevel("ERROR");
      TableSuite suite = new TableSuite(spark, directory, quick);
      List<WorkComparison> comparisons = new ArrayList<>();
      comparisons.addAll(
          suite.run(suite.stores, quick ? QUICK : FULL, wanted(changes(MILLION, quick), ids)));
      comparisons.addAll(suite.loads(ids));
      if (!quick) {
        comparisons.addAll(
            suite.run(suite.fastest, LARGE, wanted(changes(10 * MILLION, false), ids)));
      }
      comparisons.addAll(suite.keyed(ids));
      comparisons.addAll(suite.growth(ids));
      comparisons.addAll(suite.asOf(ids));
      comparisons.addAll(suite.windows(ids));
      comparisons.addAll(suite.publications(ids));
      SuiteReport report = SuiteReport.of("table", heading(quick), comparisons);
      Path docs = Path.of(args[0]);
      SuiteReport all =
          rest.contains("--merge") ? SuiteReport.read("table", docs).with(report) : report;
      all.write(docs);
    }
  }

  private static SparkSession session(Path directory) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("sparknd benchmarks")
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            // the defaults of 200, and of 50 in Delta, would only slow down the peers
            .config("spark.sql.shuffle.partitions", "8")
            .config("spark.databricks.delta.snapshotPartitions", "2")
            .config("spark.sql.parquet.compression.codec", "uncompressed")
            .config("spark.hadoop.fs.file.impl", PlainFileSystem.class.getName())
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                    + "io.delta.sql.DeltaSparkSessionExtension")
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog");
    LocalCatalog.settings(Lake.CATALOG, directory.resolve("lake")).forEach(builder::config);
    LocalCatalog.settings(Lake.COUNTED, directory.resolve("counted")).forEach(builder::config);
    builder.config(
        "spark.sql.catalog." + Lake.COUNTED + ".io-impl", CountingFileIO.class.getName());
    return builder.getOrCreate();
  }

  private static List<Change> changes(int rows, boolean quick) {
    List<Change> changes = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      for (UpdatedKeys keys : UpdatedKeys.values()) {
        for (int percent : quick ? new int[] {1} : new int[] {1, 10}) {
          for (Reduction reduction : Reduction.values()) {
            changes.add(new Change(layout, rows, keys, percent, reduction));
          }
        }
      }
    }
    // SQL cannot add values stored as bytes
    changes.removeIf(
        change ->
            change.reduction() == Reduction.ADD && (quick || change.layout() == Layout.BINARY));
    return changes;
  }

  private static List<Change> wanted(List<Change> changes, List<String> ids) {
    return changes.stream().filter(change -> wants(ids, change.id())).toList();
  }

  private static boolean wants(List<String> ids, String id) {
    return ids.isEmpty() || ids.stream().anyMatch(id::startsWith);
  }

  private List<WorkComparison> run(List<Store> stores, ChangeRounds pace, List<Change> changes) {
    List<WorkComparison> comparisons = new ArrayList<>();
    Layout made = null;
    for (Change change : changes) {
      if (change.layout() != made) {
        made = change.layout();
        stores.forEach(store -> store.create(change.layout(), change.rows()));
      }
      ChangeRounds own = isTenTimes(change) ? pace : pace.withoutReads();
      for (WorkComparison comparison :
          new ChangeBenchmark(spark, inputs, oracle, stores, own, change).run()) {
        System.out.println(comparison.line());
        comparisons.add(comparison);
      }
    }
    return comparisons;
  }

  private List<WorkComparison> loads(List<String> ids) {
    return Stream.of(Layout.values())
        .filter(layout -> wants(ids, ChecksumBenchmark.id(layout)))
        .map(
            layout ->
                new ChecksumBenchmark(spark, inputs, layout, MILLION).run(quick ? QUICK : MANY))
        .toList();
  }

  private List<WorkComparison> keyed(List<String> ids) {
    return quick ? keyed.quick(QUICK_KEYED, ids) : keyed.full(KEYED, LARGE_KEYED, ids);
  }

  private List<WorkComparison> growth(List<String> ids) {
    return Stream.of(GrowthTable.values())
        .flatMap(
            kind ->
                new CommitGrowth(spark, directory, kind, quick ? QUICK : FULL)
                    .run(sizes(kind, ids)).stream())
        .toList();
  }

  private List<WorkComparison> asOf(List<String> ids) {
    AsOfBenchmark.Size size = quick ? AsOfBenchmark.Size.QUICK : AsOfBenchmark.Size.FULL;
    return wants(ids, size.id())
        ? new AsOfBenchmark(spark, directory, size).run(quick ? QUICK : LARGE)
        : List.of();
  }

  private List<WorkComparison> windows(List<String> ids) {
    WindowBenchmark.Size size = quick ? WindowBenchmark.Size.QUICK : WindowBenchmark.Size.FULL;
    return wants(ids, size.id())
        ? new WindowBenchmark(spark, directory, size).run(quick ? QUICK : LARGE)
        : List.of();
  }

  private List<WorkComparison> publications(List<String> ids) {
    PublishBenchmark.Size size = quick ? PublishBenchmark.Size.QUICK : PublishBenchmark.Size.FULL;
    if (!wants(ids, size.id()) || !RedisProcess.isInstalled()) {
      return List.of();
    }
    return new PublishBenchmark(spark, directory, size).run(quick ? QUICK : LARGE);
  }

  /** The rows of tables that get few updates; the largest only if it is named. */
  private List<Integer> sizes(GrowthTable kind, List<String> ids) {
    List<Integer> sizes =
        ids.isEmpty()
            ? quick ? List.of(MILLION / 10) : List.of(MILLION, 10 * MILLION)
            : List.of(MILLION / 10, MILLION, 10 * MILLION, 100 * MILLION);
    return sizes.stream().filter(rows -> ids.isEmpty() || ids.contains(kind.id(rows))).toList();
  }

  private boolean isTenTimes(Change change) {
    return change.reduction() == Reduction.NONE
        && (!quick || change.layout() == Layout.ARRAY && change.keys() == UpdatedKeys.UNIFORM);
  }

  private static String heading(boolean quick) {
    return String.format(
        "Spark %s, Iceberg %s, Delta %s, Paimon %s, local[2]; a %s run. Rows of 64 float32,"
            + " uncompressed Parquet; string keys: zstd. Ids: rows, layout, updated keys, percent"
            + " updated, reduction; rows, uuid, values, updated keys, percent.",
        org.apache.spark.package$.MODULE$.SPARK_VERSION(),
        org.apache.iceberg.IcebergBuild.version(),
        io.delta.package$.MODULE$.VERSION(),
        org.apache.paimon.table.Table.class.getPackage().getImplementationVersion(),
        quick ? "quick" : "full");
  }
}
