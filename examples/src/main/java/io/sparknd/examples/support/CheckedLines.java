/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import io.sparknd.cli.support.CliErrors;
import java.util.function.Supplier;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;

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
   * Returns what {@code read} returns.
   *
   * @param path what it reads
   * @throws io.sparknd.tensor.SparkNdException if the path does not exist
   */
  public static <T> T opened(String path, Supplier<T> read) {
    try {
      return read.get();
    } catch (Exception e) { // Spark does not declare its AnalysisException
      if (e instanceof AnalysisException unreadable) {
        throw CliErrors.unreadableExamples(path, unreadable);
      }
      throw e;
    }
  }

  /**
   * Returns lines without the reader's last column. The error is raised when the line is read.
   *
   * @param lines lines of the reader
   * @param path the path that the error names
   * @param column a column that every use of the lines reads
   * @param valid an SQL condition of lines with all columns
   */
  public static Dataset<Row> check(Dataset<Row> lines, String path, String column, String valid) {
    UDF1<String, Object> error =
        line -> {
          throw CliErrors.malformedLine(path, line);
        };
    Column line = expr("coalesce(" + MALFORMED + ", to_csv(struct(*)))");
    Column raised = udf(error, lines.schema().apply(column).dataType()).apply(line);
    Column fits = col(MALFORMED).isNull().and(expr(valid));
    return lines.withColumn(column, when(fits, col(column)).otherwise(raised)).drop(MALFORMED);
  }
}
