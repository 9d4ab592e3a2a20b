/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.table.DeltaStore.Vectors;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Delta's {@code MERGE INTO} on a table with one file per bucket of our table. */
final class KeyedDeltaStore extends DeltaFileStore implements KeyedStore {
  private final SparkSession spark;
  private final KeyedInputs inputs;

  KeyedDeltaStore(SparkSession spark, KeyedInputs inputs, Vectors vectors, Path directory) {
    super(spark, vectors, directory.resolve("keyed-delta-" + vectors));
    this.spark = spark;
    this.inputs = inputs;
  }

  @Override
  public Family family() {
    return Family.MERGE;
  }

  @Override
  public void create(KeyedChange change) {
    create(inputs.bucketed(change.values(), change.rows(), change.buckets()));
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    KeyedMerge.into(table(), change.values(), updates);
  }

  @Override
  public RowHash read(KeyedChange change) {
    return RowHash.of(spark, table(), change.values());
  }
}
