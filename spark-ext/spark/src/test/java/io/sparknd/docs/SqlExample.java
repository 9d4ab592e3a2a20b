/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** Runs the statements of an SQL block of the documentation. */
public final class SqlExample {
  private SqlExample() {}

  /**
   * Runs the statements in order.
   *
   * @param text statements that end with a semicolon at the end of a line, or one script {@code
   *     BEGIN ... END}
   * @return the result of the last statement that returns rows, as {@link Dataset#show} draws it;
   *     empty if there is none
   */
  public static String shown(SparkSession spark, String text) {
    String shown = "";
    for (String statement : statements(text)) {
      Dataset<Row> rows = spark.sql(statement);
      shown = rows.columns().length > 0 ? shown(rows) : shown;
    }
    return shown;
  }

  /** Returns the statements of a block; a script {@code BEGIN ... END} is one. */
  public static List<String> statements(String text) {
    return text.startsWith("BEGIN") ? List.of(text) : List.of(text.split(";\n"));
  }

  private static String shown(Dataset<Row> rows) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Console$.MODULE$.withOut(
        shown,
        () -> {
          rows.show(false);
          return BoxedUnit.UNIT;
        });
    return shown.toString(StandardCharsets.UTF_8);
  }
}
