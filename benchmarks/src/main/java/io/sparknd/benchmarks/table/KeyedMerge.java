/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The MERGE statement that adds to values of string keys. */
final class KeyedMerge {
  private KeyedMerge() {}

  /** Merges {@code updates} into {@code table}, which has all their keys. */
  static void into(String table, KeyedValues values, Dataset<Row> updates) {
    updates.createOrReplaceTempView("updates");
    updates
        .sparkSession()
        .sql(
            String.format(
                "MERGE INTO %s t USING updates u ON t.key = u.key WHEN MATCHED THEN UPDATE SET %s",
                table, values.assignments()));
  }
}
