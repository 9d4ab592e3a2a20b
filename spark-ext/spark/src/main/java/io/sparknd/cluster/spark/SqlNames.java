/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.util.QuotingUtils;
import scala.jdk.javaapi.CollectionConverters;

/** Names of tables as SQL writes them: parts with other characters in backticks. */
public final class SqlNames {
  private SqlNames() {}

  /**
   * @throws io.sparknd.tensor.SparkNdException if SQL would not read it
   */
  public static List<String> parts(String name) {
    try {
      return CollectionConverters.asJava(CatalystSqlParser$.MODULE$.parseMultipartIdentifier(name));
    } catch (Exception e) { // a ParseException, which Spark does not declare
      throw SparkErrors.badTableName(name, e);
    }
  }

  /** The name that {@link #parts} takes apart again. */
  public static String joined(List<String> parts) {
    return parts.stream().map(QuotingUtils::quoteIfNeeded).collect(Collectors.joining("."));
  }
}
