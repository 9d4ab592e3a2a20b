/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.PrintWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs statements and prints their rows.
 *
 * @param format of the rows
 * @param mostRows maximum number of rows printed per statement
 * @param out stays open
 */
record SqlSession(SparkSession spark, ResultFormat format, int mostRows, PrintWriter out) {

  /**
   * Runs one statement. A statement without result columns, such as {@code CREATE TABLE}, prints
   * nothing.
   */
  void run(String statement) {
    Dataset<Row> rows = spark.sql(statement);
    if (rows.columns().length > 0) {
      format.print(rows, mostRows, out);
    }
  }
}
