/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;

/**
 * Creates tables of int64[ROWS] in a catalog whose files use {@link HookedIO}. Expected values are
 * sums, so that lost and repeated scatters are detected.
 */
final class HookedLake {
  static final int ROWS = 30;
  static final int ROWS_PER_BLOCK = 10;
  static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final String CATALOG = "hooked";
  private static final String CACHED = "cached";
  private static final String ALTERED = "altered";

  private static final Path DIRECTORY = directory();

  private HookedLake() {}

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("sparknd-hooked");
      ShutdownHookManager.registerShutdownDeleteDir(directory.toFile());
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the shared session, which cluster tests stop and later tests start again. */
  static SparkSession spark() {
    SparkSession spark = LocalSpark.session();
    for (String catalog : List.of(CATALOG, CACHED, ALTERED)) {
      spark.conf().set("spark.sql.catalog." + catalog + ".io-impl", HookedIO.class.getName());
      LocalCatalog.addTo(spark, catalog, lake(catalog));
    }
    spark.conf().set("spark.sql.catalog." + CACHED + ".cache-enabled", "true");
    spark.conf().set("spark.sql.catalog." + ALTERED, TensorCatalog.class.getName());
    return spark;
  }

  private static Path lake(String catalog) {
    try {
      return Files.createDirectories(DIRECTORY.resolve(catalog));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns an unused table name. */
  static String name() {
    return CATALOG + ".tests.t" + TABLES.incrementAndGet();
  }

  /** Returns an unused table name in a catalog whose threads share tables, as by default. */
  static String cachedName() {
    return CACHED + ".tests.t" + TABLES.incrementAndGet();
  }

  /** Returns an unused table name in a {@link TensorCatalog}. */
  static String alteredName() {
    return ALTERED + ".tests.t" + TABLES.incrementAndGet();
  }

  /** Creates a tensor of three blocks. */
  static TensorTable create() {
    return TensorTable.create(spark(), name(), spec());
  }

  static TensorSpec spec() {
    return TensorSpec.of(DType.INT64, Shape.of(ROWS)).withRowsPerBlock(ROWS_PER_BLOCK);
  }

  /** Returns one update of {@code value} for each row of {@code [from, to)}. */
  static Dataset<Row> updates(int from, int to, long value) {
    return spark().range(from, to, 1, 1).selectExpr("id AS i0", value + "L AS value");
  }

  /** Runs {@code work} in a thread outside Spark's tasks. */
  static void elsewhere(Runnable work) {
    CompletableFuture.runAsync(work, task -> new Thread(task).start()).join();
  }

  /** Reads the whole tensor, which has each row at most once. */
  static long[] read(TensorTable table) {
    long[] values = new long[ROWS];
    BitSet seen = new BitSet(ROWS);
    for (Row row : table.toDataset().collectAsList()) {
      int i0 = (int) row.getLong(0);
      assertThat(seen.get(i0)).as("row %d occurs twice in %s", i0, table.name()).isFalse();
      seen.set(i0);
      values[i0] = row.getLong(1);
    }
    return values;
  }

  /** Returns a copy of {@code tensor} with {@code value} added to {@code [from, to)}. */
  static long[] plus(long[] tensor, int from, int to, long value) {
    long[] sum = tensor.clone();
    for (int i = from; i < to; i++) {
      sum[i] += value;
    }
    return sum;
  }

  /**
   * Checks that the table has all of its data files and no others. Iceberg may leave extra metadata
   * files.
   */
  static void assertNoOrphans(TensorTable table) {
    Set<String> referenced = referenced(table);
    Set<String> files = files(table);
    assertThat(files).containsAll(referenced);
    assertThat(files.stream().filter(file -> !file.contains("/metadata/")))
        .allMatch(referenced::contains);
  }

  /** Returns all files in a table's directory except checksums. */
  static Set<String> files(TensorTable table) {
    try (Stream<Path> files = Files.walk(Path.of(URI.create(table.iceberg().location())))) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(".crc"))
          .map(Path::toString)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> referenced(TensorTable table) {
    SparkSession spark = SparkSession.active();
    return Stream.of(
            spark.table(table.name() + ".all_files").select("file_path"),
            spark.table(table.name() + ".all_manifests").select("path"),
            spark.table(table.name() + ".snapshots").select("manifest_list"),
            spark.table(table.name() + ".metadata_log_entries").select("file"))
        .map(Dataset::collectAsList)
        .flatMap(List::stream)
        .map(row -> Path.of(URI.create(row.getString(0))).toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
