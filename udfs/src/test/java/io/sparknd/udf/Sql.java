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

/** Runs statements and returns their results or errors. */
public final class Sql {
  static final SparkSession SPARK = LocalSpark.session();

  private Sql() {}

  /** Returns the first value of the first row as nested lists. */
  static Object value(String select) {
    return Held.list(SPARK.sql("SELECT " + select).first().get(0));
  }

  /** Returns the first value of the first row as text. */
  static String text(String select) {
    Dataset<Row> rows = SPARK.sql("SELECT " + select).toDF("c");
    return rows.select(rows.col("c").cast("string")).first().getString(0);
  }

  /** Returns the analysis error of {@code SELECT select}, raised before any row is read. */
  static String refusal(String select) {
    Throwable thrown = catchThrowable(() -> SPARK.sql("SELECT " + select));
    assertThat(thrown).as(select).isInstanceOf(AnalysisException.class);
    return thrown.getMessage();
  }

  /** Returns the error of {@code SELECT select} that is raised while rows are read. */
  static String failure(String select) {
    Dataset<Row> rows = SPARK.sql("SELECT " + select);
    Throwable thrown = catchThrowable(rows::collectAsList);
    assertThat(thrown).as(select).isNotNull();
    return message(thrown);
  }

  /** Returns SparkND's message if there is one, otherwise Spark's. */
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
