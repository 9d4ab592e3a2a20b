/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The expected contents of tables of string keys, computed by plain Spark from the inputs. The hash
 * of an updated table is that of the first one, without the old and with the new versions of
 * updated rows.
 */
final class KeyedOracle {
  private static final String VIEW = "keyed_rows";

  private final SparkSession spark;
  private final KeyedInputs inputs;
  private final Map<String, RowHash> first = new HashMap<>();

  KeyedOracle(SparkSession spark, KeyedInputs inputs) {
    this.spark = spark;
    this.inputs = inputs;
  }

  /**
   * @param commits the number of commits, with seeds 1, 2, ...
   */
  RowHash after(KeyedChange change, int commits) {
    KeyedValues values = change.values();
    Dataset<Row> updates =
        IntStream.rangeClosed(1, commits)
            .mapToObj(seed -> inputs.updates(change, seed))
            .reduce(Dataset::union)
            .orElseThrow();
    Dataset<Row> old =
        KeyedInputs.withValues(updates.select("key").distinct(), values, 0).localCheckpoint();
    Column[] sums = values.sums().toArray(Column[]::new);
    Dataset<Row> now =
        updates.union(old).groupBy("key").agg(sums[0], Arrays.copyOfRange(sums, 1, sums.length));
    return new RowHash(
        change.rows(), first(change).hash() ^ hash(old, values).hash() ^ hash(now, values).hash());
  }

  private RowHash first(KeyedChange change) {
    return first.computeIfAbsent(
        change.values() + "-" + change.rows(),
        key -> hash(inputs.table(change.values(), change.rows()), change.values()));
  }

  private RowHash hash(Dataset<Row> rows, KeyedValues values) {
    rows.createOrReplaceTempView(VIEW);
    return RowHash.of(spark, VIEW, values);
  }
}
