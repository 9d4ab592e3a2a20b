/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import static org.apache.spark.sql.functions.expr;

import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads text files with separated columns; a line that does not fit is an error that shows it. */
public final class CheckedLines {
  private static final String MALFORMED = "malformed";

  private CheckedLines() {}

  /**
   * Returns a reader for {@link #check}. Quotes have no meaning.
   *
   * @param columns the names and types of the columns, as in {@code CREATE TABLE}
   */
  public static DataFrameReader reader(SparkSession spark, String columns, String separator) {
    return spark
        .read()
        .schema(columns + ", " + MALFORMED + " STRING")
        .option("columnNameOfCorruptRecord", MALFORMED)
        .option("sep", separator)
        .option("quote", "")
        .option("ignoreTrailingWhiteSpace", "true");
  }

  /**
   * Returns lines without the reader's last column. The error is raised when the line is read.
   *
   * @param lines lines of the reader
   * @param column a column that every use of the lines reads
   * @param valid an SQL condition of lines with all columns
   */
  public static Dataset<Row> check(Dataset<Row> lines, String column, String valid) {
    String error =
        "raise_error(concat('a line has another format: ', coalesce(malformed, to_csv(struct(*)))))";
    return lines
        .withColumn(
            column, expr("if(malformed IS NULL AND " + valid + ", " + column + ", " + error + ")"))
        .drop(MALFORMED);
  }
}
