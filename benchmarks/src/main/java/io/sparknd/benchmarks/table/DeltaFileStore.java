/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.table.DeltaStore.Vectors;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;

/** What stores of Delta have in common: a table in a folder that is restored after each update. */
abstract class DeltaFileStore implements TableFiles {
  private final SparkSession spark;
  private final Vectors vectors;
  private final Path path;
  private Directory directory;

  DeltaFileStore(SparkSession spark, Vectors vectors, Path path) {
    this.spark = spark;
    this.vectors = vectors;
    this.path = path.toAbsolutePath();
  }

  public String name() {
    return "Delta MERGE INTO, deletion vectors " + (vectors == Vectors.ON ? "on" : "off");
  }

  /** Whether updates rewrite files or write deletes. */
  public Mode mode() {
    return vectors == Vectors.ON ? Mode.MERGE_ON_READ : Mode.COPY_ON_WRITE;
  }

  /** Replaces the table by one with these rows. */
  void create(Dataset<Row> rows) {
    Directory.deleteAll(path);
    DeltaLog.clearCache();
    rows.write()
        .format("delta")
        .option("delta.enableDeletionVectors", Boolean.toString(vectors == Vectors.ON))
        .save(path.toString());
    directory = new Directory(path);
  }

  /** The name of the table in SQL. */
  public String table() {
    return "delta.`" + path + "`";
  }

  /** Restores the table to its initial state. */
  public void restore() {
    directory.restore();
    DeltaLog.clearCache();
    files(); // a user of the table has its log in memory
  }

  /** Counts the data files and deletion vectors. */
  @Override
  public long files() {
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
