/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Commits two batches to a table; the script kills the driver during the second commit. */
final class Commits {
  private static final String TABLE = "lake.drill.counts";
  private static final int ROWS = 200_000;
  private static final int WIDTH = 16;

  private final SparkSession spark;
  private final Signal signal;

  Commits(SparkSession spark, Signal signal) {
    this.spark = spark;
    this.signal = signal;
  }

  /** Creates the table and commits both batches. */
  String commit() {
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.drill");
    TensorTable table =
        TensorTable.create(spark, TABLE, TensorSpec.of(DType.FLOAT32, Shape.of(ROWS, WIDTH)));
    send(table, "first", 1);
    signal.arm();
    send(table, "second", 2);
    return "both batches are committed";
  }

  /** Checks the table after the driver was killed, then resends the second batch. */
  String check() {
    TensorTable table = TensorTable.open(spark, TABLE);
    double found = sum();
    if (found != sumOf(1) && found != sumOf(3)) {
      throw new DrillFailure(
          String.format("the table sums to %,.0f, which is no committed version", found));
    }
    send(table, "second", 2);
    if (sum() != sumOf(3)) {
      throw new DrillFailure(
          String.format("after resending the batch, the table sums to %,.0f", sum()));
    }
    return String.format(
        "driver killed during a commit: the table has the version %s the commit; after resending,"
            + " the batch is present once",
        found == sumOf(1) ? "before" : "after");
  }

  private void send(TensorTable table, String batch, int value) {
    Dataset<Row> rows =
        spark
            .range(0, ROWS, 1, 8)
            .selectExpr("id AS i0", "array_repeat(float(" + value + "), " + WIDTH + ") AS value");
    table
        .write()
        .batchId(batch)
        .scatter(Scatter.add(), rows, TensorColumns.of("value", "i0"))
        .commit();
  }

  private static double sumOf(int value) {
    return (double) value * ROWS * WIDTH;
  }

  private double sum() {
    return spark
        .sql("SELECT sum(aggregate(value, 0D, (a, x) -> a + x)) FROM " + TABLE)
        .first()
        .getDouble(0);
  }
}
