/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.table.DeltaStore.Vectors;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;

/** Delta's {@code MERGE INTO} on a table with one file per bucket of our table. */
final class KeyedDeltaStore implements KeyedStore {
  private final SparkSession spark;
  private final KeyedInputs inputs;
  private final Vectors vectors;
  private final Path path;
  private Directory directory;

  KeyedDeltaStore(SparkSession spark, KeyedInputs inputs, Vectors vectors, Path directory) {
    this.spark = spark;
    this.inputs = inputs;
    this.vectors = vectors;
    this.path = directory.resolve("keyed-delta-" + vectors).toAbsolutePath();
  }

  @Override
  public String name() {
    return "Delta MERGE INTO, deletion vectors " + (vectors == Vectors.ON ? "on" : "off");
  }

  @Override
  public Family family() {
    return Family.MERGE;
  }

  @Override
  public Mode mode() {
    return vectors == Vectors.ON ? Mode.MERGE_ON_READ : Mode.COPY_ON_WRITE;
  }

  @Override
  public void create(KeyedChange change) {
    Directory.deleteAll(path);
    DeltaLog.clearCache();
    inputs
        .bucketed(change.values(), change.rows(), change.buckets())
        .write()
        .format("delta")
        .option("delta.enableDeletionVectors", Boolean.toString(vectors == Vectors.ON))
        .save(path.toString());
    directory = new Directory(path);
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    KeyedMerge.into(table(), change.values(), updates);
  }

  @Override
  public RowHash read(KeyedChange change) {
    return RowHash.of(spark, table(), change.values());
  }

  private String table() {
    return "delta.`" + path + "`";
  }

  @Override
  public void restore() {
    directory.restore();
    DeltaLog.clearCache();
    files(); // a user of the table has its log in memory
  }

  @Override
  public long files() {
    return DeltaStore.files(spark, path);
  }

  @Override
  public long bytesAdded() {
    return directory.bytesAdded();
  }
}
