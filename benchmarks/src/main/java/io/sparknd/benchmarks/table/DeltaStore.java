/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Delta's {@code MERGE INTO} on a table with one file per block of our table. */
final class DeltaStore extends DeltaFileStore implements Store {
  private final TableInputs inputs;
  private final LongSupplier rowsPerBlock;

  /** Whether the table uses deletion vectors. */
  enum Vectors {
    ON,
    OFF
  }

  DeltaStore(
      SparkSession spark,
      TableInputs inputs,
      LongSupplier rowsPerBlock,
      Vectors vectors,
      Path directory) {
    super(spark, vectors, directory.resolve("delta-" + vectors));
    this.inputs = inputs;
    this.rowsPerBlock = rowsPerBlock;
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public void create(Layout layout, int rows) {
    create(inputs.table(layout, rows, rowsPerBlock.getAsLong()));
  }

  @Override
  public void update(Change change, Dataset<Row> updates) {
    Merge.into(table(), change, updates);
  }

  @Override
  public Layout updateLayout(Change change) {
    return change.layout();
  }
}
