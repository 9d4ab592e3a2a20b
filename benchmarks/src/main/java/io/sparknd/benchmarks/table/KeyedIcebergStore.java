/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Iceberg's {@code MERGE INTO} on a table with the buckets of our table. */
final class KeyedIcebergStore extends LakeStore implements KeyedStore {
  private final SparkSession spark;
  private final KeyedInputs inputs;

  KeyedIcebergStore(SparkSession spark, KeyedInputs inputs, Mode mode) {
    super(mode, new Lake(spark, "keyed_" + mode.suffix()));
    this.spark = spark;
    this.inputs = inputs;
  }

  @Override
  public String name() {
    return "Iceberg MERGE INTO, " + mode();
  }

  @Override
  public Family family() {
    return Family.MERGE;
  }

  @Override
  public void create(KeyedChange change) {
    lake().drop();
    spark.sql(
        String.format(
            "CREATE TABLE %s (key STRING NOT NULL, %s) USING iceberg PARTITIONED BY"
                + " (bucket(%d, key)) TBLPROPERTIES ('format-version'='3',"
                + " 'write.parquet.compression-codec'='%s', '%s'='%s')",
            lake().name(),
            change.values().ddl(),
            change.buckets(),
            change.codec(),
            Mode.PROPERTY,
            mode()));
    lake().append(inputs.bucketed(change.values(), change.rows(), change.buckets()));
    lake().keep();
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    KeyedMerge.into(lake().name(), change.values(), updates);
  }

  @Override
  public RowHash read(KeyedChange change) {
    return RowHash.of(spark, lake().name(), change.values());
  }
}
