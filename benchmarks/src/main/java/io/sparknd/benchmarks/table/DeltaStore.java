/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;

/** Delta's {@code MERGE INTO} on a table with one file per block of our table. */
final class DeltaStore implements Store {
  private final SparkSession spark;
  private final TableInputs inputs;
  private final LongSupplier rowsPerBlock;
  private final Vectors vectors;
  private final Path path;
  private Directory directory;

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
    this.spark = spark;
    this.inputs = inputs;
    this.rowsPerBlock = rowsPerBlock;
    this.vectors = vectors;
    this.path = directory.resolve("delta-" + vectors).toAbsolutePath();
  }

  @Override
  public String name() {
    return "Delta MERGE INTO, deletion vectors " + (vectors == Vectors.ON ? "on" : "off");
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public Mode mode() {
    return vectors == Vectors.ON ? Mode.MERGE_ON_READ : Mode.COPY_ON_WRITE;
  }

  @Override
  public void create(Layout layout, int rows) {
    Directory.deleteAll(path);
    DeltaLog.clearCache();
    inputs
        .table(layout, rows, rowsPerBlock.getAsLong())
        .write()
        .format("delta")
        .option("delta.enableDeletionVectors", Boolean.toString(vectors == Vectors.ON))
        .save(path.toString());
    directory = new Directory(path);
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
  public void restore() {
    directory.restore();
    DeltaLog.clearCache();
    files(); // a user of the table has its log in memory
  }

  @Override
  public String table() {
    return "delta.`" + path + "`";
  }

  @Override
  public long files() {
    return files(spark, path);
  }

  /** Counts the data files and deletion vectors of a table. */
  static long files(SparkSession spark, Path path) {
    Row counts =
        DeltaLog.forTable(spark, path.toString())
            .update(false, scala.Option.empty(), scala.Option.empty())
            .allFiles()
            .toDF()
            .selectExpr("count(*)", "count(DISTINCT deletionVector.pathOrInlineDv)")
            .head();
    return counts.getLong(0) + counts.getLong(1);
  }

  @Override
  public long bytesAdded() {
    return directory.bytesAdded();
  }
}
