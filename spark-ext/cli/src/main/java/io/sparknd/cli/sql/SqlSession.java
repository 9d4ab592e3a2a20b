/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.PrintWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs statements and shows their rows.
 *
 * @param format of the rows
 * @param mostRows to show of a statement
 * @param out is left open
 */
record SqlSession(SparkSession spark, ResultFormat format, int mostRows, PrintWriter out) {

  /** Runs one statement; one without columns, such as {@code CREATE TABLE}, shows nothing. */
  void run(String statement) {
    Dataset<Row> rows = spark.sql(statement);
    if (rows.columns().length > 0) {
      format.print(rows, mostRows, out);
    }
  }
}
