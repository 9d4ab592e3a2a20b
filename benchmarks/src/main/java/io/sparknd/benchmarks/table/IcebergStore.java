/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.function.LongSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Iceberg's {@code MERGE INTO} on a table with the partitions of our table. */
final class IcebergStore extends LakeStore implements Store {
  private final SparkSession spark;
  private final TableInputs inputs;
  private final LongSupplier rowsPerBlock;

  /**
   * @param rowsPerBlock the rows per block of our table, read when a table is created
   */
  IcebergStore(SparkSession spark, TableInputs inputs, LongSupplier rowsPerBlock, Mode mode) {
    super(mode, new Lake(spark, "iceberg_" + mode.suffix()));
    this.spark = spark;
    this.inputs = inputs;
    this.rowsPerBlock = rowsPerBlock;
  }

  @Override
  public String name() {
    return "Iceberg MERGE INTO, " + mode();
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public void create(Layout layout, int rows) {
    lake().drop();
    long perBlock = rowsPerBlock.getAsLong();
    spark.sql(
        String.format(
            "CREATE TABLE %s (i0 BIGINT NOT NULL, value %s NOT NULL) USING iceberg PARTITIONED BY"
                + " (truncate(%d, i0)) TBLPROPERTIES ('format-version'='3',"
                + " 'write.parquet.compression-codec'='uncompressed', '%s'='%s')",
            lake().name(), layout.type(), perBlock, Mode.PROPERTY, mode()));
    lake().append(inputs.table(layout, rows, perBlock));
    lake().keep();
  }

  @Override
  public void update(Change change, Dataset<Row> updates) {
    Merge.into(table(), change, updates);
  }

  @Override
  public Layout updateLayout(Change change) {
    return change.layout();
  }

  @Override
  public String table() {
    return lake().name();
  }
}
