/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.Serializable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * What a table holds.
 *
 * @param rows the number of rows
 * @param hash the exclusive or of the hashes of all rows, each of its key and its values in order
 */
record RowHash(long rows, long hash) implements Serializable {
  static final RowHash NONE = new RowHash(0, 0);

  /** Reads a table in SQL. */
  static RowHash of(SparkSession spark, String table, KeyedValues values) {
    Row row =
        spark
            .sql("SELECT count(*), coalesce(bit_xor(" + values.hash() + "), 0) FROM " + table)
            .head();
    return new RowHash(row.getLong(0), row.getLong(1));
  }

  RowHash and(RowHash other) {
    return new RowHash(rows + other.rows, hash ^ other.hash);
  }
}
