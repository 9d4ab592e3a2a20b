/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.benchmarks.table.DeltaStore.Vectors;
import io.sparknd.benchmarks.table.PaimonStore.Compaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Feature tables with string keys beside MERGE INTO and Paimon. */
final class KeyedWorks {
  private static final int QUICK_ROWS = 200_000;
  private static final int MILLION = 1_000_000;
  private static final String CODEC = "spark.sql.parquet.compression.codec";

  private final SparkSession spark;
  private final KeyedInputs inputs;
  private final KeyedOracle oracle;
  private final List<KeyedStore> stores;

  /** Without Delta, whose tables take long to make. */
  private final List<KeyedStore> large;

  KeyedWorks(SparkSession spark, Path directory) {
    this.spark = spark;
    this.inputs = new KeyedInputs(spark, directory);
    this.oracle = new KeyedOracle(spark, inputs);
    this.large =
        List.of(
            new FeatureTableStore(spark, inputs, Mode.MERGE_ON_READ),
            new FeatureTableStore(spark, inputs, Mode.COPY_ON_WRITE),
            new KeyedIcebergStore(spark, inputs, Mode.MERGE_ON_READ),
            new KeyedIcebergStore(spark, inputs, Mode.COPY_ON_WRITE),
            new PaimonStore(spark, inputs, Compaction.DEFAULT, directory),
            new PaimonStore(spark, inputs, Compaction.FULL, directory));
    this.stores = new ArrayList<>(large);
    stores.add(new KeyedDeltaStore(spark, inputs, Vectors.ON, directory));
    stores.add(new KeyedDeltaStore(spark, inputs, Vectors.OFF, directory));
  }

  /** Runs small works: those with these ids with all stores, or else two with three stores. */
  List<WorkComparison> quick(ChangeRounds pace, List<String> ids) {
    List<KeyedChange> changes = wanted(QUICK_ROWS, ids);
    return ids.isEmpty()
        ? run(
            List.of(large.get(0), large.get(2), large.get(4)),
            pace,
            changes.stream().filter(KeyedWorks::isQuick).toList())
        : run(stores, pace, changes);
  }

  /** Runs all works with a million rows, and with ten. */
  List<WorkComparison> full(ChangeRounds pace, ChangeRounds ofTenMillions, List<String> ids) {
    List<WorkComparison> comparisons = new ArrayList<>(run(stores, pace, wanted(MILLION, ids)));
    comparisons.addAll(run(large, ofTenMillions, wanted(10 * MILLION, ids)));
    return comparisons;
  }

  private static boolean isQuick(KeyedChange change) {
    return change.keys() == KeySpread.UNIFORM
        && change.codec() == ParquetCodec.ZSTD
        && change.percent() == 1;
  }

  private static List<KeyedChange> wanted(int rows, List<String> ids) {
    List<KeyedChange> changes = new ArrayList<>();
    for (KeyedValues values : KeyedValues.values()) {
      for (KeySpread keys : KeySpread.values()) {
        addTo(changes, values, ParquetCodec.ZSTD, rows, keys);
      }
    }
    // keys at random make commits read whole files, so there the codec counts most
    addTo(changes, KeyedValues.COUNTERS, ParquetCodec.LZ4_RAW, rows, KeySpread.UNIFORM);
    return changes.stream()
        .filter(change -> ids.isEmpty() || ids.stream().anyMatch(change.id()::startsWith))
        .toList();
  }

  private static void addTo(
      List<KeyedChange> changes, KeyedValues values, ParquetCodec codec, int rows, KeySpread keys) {
    for (int percent : new int[] {1, 10}) {
      changes.add(new KeyedChange(values, codec, rows, keys, percent));
    }
  }

  private List<WorkComparison> run(
      List<KeyedStore> stores, ChangeRounds pace, List<KeyedChange> changes) {
    String codec = spark.conf().get(CODEC);
    List<WorkComparison> comparisons = new ArrayList<>();
    KeyedChange made = null;
    for (KeyedChange change : changes) {
      // of Delta's files; the others have it in their tables
      spark.conf().set(CODEC, change.codec().toString());
      if (made == null || !made.isOfTableOf(change)) {
        made = change;
        stores.forEach(store -> store.create(change));
      }
      ChangeRounds own = change.percent() == 1 ? pace : pace.withoutReads();
      for (WorkComparison each : new KeyedBenchmark(inputs, oracle, stores, own, change).run()) {
        System.out.println(each.line());
        comparisons.add(each);
      }
    }
    spark.conf().set(CODEC, codec);
    return comparisons;
  }
}
