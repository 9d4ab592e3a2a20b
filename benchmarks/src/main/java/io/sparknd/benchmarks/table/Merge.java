/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.table.Change.Reduction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The MERGE statement that updates rows. */
final class Merge {
  private Merge() {}

  /**
   * Merges {@code updates} into {@code table}. Every updated row exists, so there is no clause for
   * other rows, which would only cost time.
   */
  static void into(String table, Change change, Dataset<Row> updates) {
    updates.createOrReplaceTempView("updates");
    String value =
        change.reduction() == Reduction.NONE ? "u.value" : Layout.sum("t.value", "u.value");
    updates
        .sparkSession()
        .sql(
            String.format(
                "MERGE INTO %s t USING updates u ON t.i0 = u.i0"
                    + " WHEN MATCHED THEN UPDATE SET value = %s",
                table, value));
  }
}
