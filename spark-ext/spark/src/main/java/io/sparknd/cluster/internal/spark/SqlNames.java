/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.util.QuotingUtils;
import org.apache.spark.sql.functions;
import scala.jdk.javaapi.CollectionConverters;

/** Parses and formats names of tables as in SQL: parts with other characters are in backticks. */
public final class SqlNames {
  private SqlNames() {}

  /**
   * Returns the parts of a name.
   *
   * @throws io.sparknd.tensor.SparkNdException if SQL cannot parse it
   */
  public static List<String> parts(String name) {
    try {
      return CollectionConverters.asJava(CatalystSqlParser$.MODULE$.parseMultipartIdentifier(name));
    } catch (Exception e) { // a ParseException, which Spark does not declare
      throw SparkErrors.badTableName(name, e);
    }
  }

  /** Returns the last of the {@link #parts} of a name. */
  public static String lastPart(String name) {
    List<String> parts = parts(name);
    return parts.get(parts.size() - 1);
  }

  /** Returns a column by its name as it is, without the meaning that SQL gives to dots. */
  public static Column column(String name) {
    return functions.col(QuotingUtils.quoteIfNeeded(name));
  }

  /** Returns the name that {@link #parts} splits into {@code parts}. */
  public static String joined(List<String> parts) {
    return parts.stream().map(QuotingUtils::quoteIfNeeded).collect(Collectors.joining("."));
  }
}
