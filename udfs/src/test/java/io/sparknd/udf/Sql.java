/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Statements, and what comes of them. */
public final class Sql {
  static final SparkSession SPARK = LocalSpark.session();

  private Sql() {}

  /** The first value of the first row as lists in lists. */
  static Object value(String select) {
    return Held.list(SPARK.sql("SELECT " + select).first().get(0));
  }

  /** The first value of the first row as text. */
  static String text(String select) {
    Dataset<Row> rows = SPARK.sql("SELECT " + select).toDF("c");
    return rows.select(rows.col("c").cast("string")).first().getString(0);
  }

  /** What Spark says when it looks at {@code SELECT select}, before any row is read. */
  static String refusal(String select) {
    Throwable thrown = catchThrowable(() -> SPARK.sql("SELECT " + select));
    assertThat(thrown).as(select).isInstanceOf(AnalysisException.class);
    return thrown.getMessage();
  }

  /** What SparkND says of the rows that {@code SELECT select} reads. */
  static String failure(String select) {
    Dataset<Row> rows = SPARK.sql("SELECT " + select);
    Throwable thrown = catchThrowable(rows::collectAsList);
    assertThat(thrown).as(select).isNotNull();
    return message(thrown);
  }

  /** SparkND's own message, or else Spark's. */
  public static String message(Throwable thrown) {
    assertThat(thrown).isNotNull();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException) {
        return cause.getMessage();
      }
    }
    return thrown.getMessage();
  }
}
