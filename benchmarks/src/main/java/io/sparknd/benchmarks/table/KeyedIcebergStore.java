/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/** Iceberg's {@code MERGE INTO} on a table with the buckets of our table. */
final class KeyedIcebergStore implements KeyedStore {
  private final SparkSession spark;
  private final KeyedInputs inputs;
  private final Mode mode;
  private final Lake lake;

  KeyedIcebergStore(SparkSession spark, KeyedInputs inputs, Mode mode) {
    this.spark = spark;
    this.inputs = inputs;
    this.mode = mode;
    this.lake = new Lake(spark, "keyed_" + mode.suffix());
  }

  @Override
  public String name() {
    return "Iceberg MERGE INTO, " + mode;
  }

  @Override
  public Family family() {
    return Family.MERGE;
  }

  @Override
  public Mode mode() {
    return mode;
  }

  @Override
  public void create(KeyedChange change) {
    lake.drop();
    spark.sql(
        String.format(
            "CREATE TABLE %s (key STRING NOT NULL, %s) USING iceberg PARTITIONED BY"
                + " (bucket(%d, key)) TBLPROPERTIES ('format-version'='3',"
                + " 'write.parquet.compression-codec'='zstd', '%s'='%s')",
            lake.name(), change.values().ddl(), change.buckets(), Mode.PROPERTY, mode));
    try {
      inputs
          .bucketed(change.values(), change.rows(), change.buckets())
          .writeTo(lake.name())
          .option("distribution-mode", "none")
          .option("fanout-enabled", "true")
          .append();
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
    lake.keep();
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    KeyedMerge.into(lake.name(), change.values(), updates);
  }

  @Override
  public RowHash read(KeyedChange change) {
    return RowHash.of(spark, lake.name(), change.values());
  }

  @Override
  public void restore() {
    lake.restore();
  }

  @Override
  public long files() {
    return lake.files();
  }

  @Override
  public long bytesAdded() {
    return lake.bytesAdded();
  }
}
