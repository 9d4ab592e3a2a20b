/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.FeatureTableSpec;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** SparkND's feature table. */
final class FeatureTableStore extends LakeStore implements KeyedStore {
  private final SparkSession spark;
  private final KeyedInputs inputs;

  FeatureTableStore(SparkSession spark, KeyedInputs inputs, Mode mode) {
    super(mode, new Lake(spark, "feature_" + mode.suffix()));
    this.spark = spark;
    this.inputs = inputs;
  }

  @Override
  public String name() {
    return "FeatureTable.scatter, " + mode();
  }

  @Override
  public Family family() {
    return Family.OURS;
  }

  @Override
  public void create(KeyedChange change) {
    lake().drop();
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("key", "string")
            .withBuckets(change.buckets())
            .withProperty("write.parquet.compression-codec", change.codec().toString())
            .withProperty(Mode.PROPERTY, mode().toString());
    FeatureTable.create(spark, lake().name(), change.values().with(spec))
        .scatter(inputs.table(change.values(), change.rows()));
    lake().keep();
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    FeatureTable.open(spark, lake().name()).write().scatter(updates).commit();
  }

  @Override
  public RowHash read(KeyedChange change) {
    return RowHash.of(spark, lake().name(), change.values());
  }
}
