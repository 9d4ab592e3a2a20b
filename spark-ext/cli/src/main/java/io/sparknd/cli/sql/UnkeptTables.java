/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.cli.support.CliSession;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * Tables and views that statements make in Spark's own catalog. Without a metastore it is in
 * memory, and later calls do not know them.
 *
 * @param before those that were there
 * @param err stays open
 */
record UnkeptTables(SparkSession spark, List<String> before, PrintWriter err)
    implements AutoCloseable {
  private static final String CATALOG = "spark_catalog";

  /** Begins before the first statement of a session. */
  static UnkeptTables of(CliSession session, PrintWriter err) {
    List<String> before = session.isOwn() ? List.of() : names(session.spark());
    return new UnkeptTables(session.spark(), before, err);
  }

  /** Names what ends with Spark. */
  @Override
  public void close() {
    List<String> made = new ArrayList<>(names(spark));
    made.removeAll(before);
    if (!made.isEmpty()) {
      err.println(
          "Spark's own catalog is in memory, and ends with this call: "
              + String.join(", ", made)
              + ". Create tables in a catalog that keeps them, as lake.NAMESPACE.TABLE");
    }
  }

  private static List<String> names(SparkSession spark) {
    List<String> names = new ArrayList<>();
    try {
      if (isInMemory(spark)) {
        spark
            .sql("SHOW NAMESPACES IN " + CATALOG)
            .collectAsList()
            .forEach(namespace -> names.addAll(names(spark, namespace.getString(0))));
      }
      return names;
    } catch (Exception e) { // what the statements did stays as it is
      return List.of();
    }
  }

  private static boolean isInMemory(SparkSession spark) {
    return spark.conf().get("spark.sql.catalogImplementation", "in-memory").equals("in-memory")
        && spark.conf().get("spark.sql.catalog." + CATALOG, "builtin").equals("builtin");
  }

  /** Reads rows by position, since a setting changes the names of their columns. */
  private static List<String> names(SparkSession spark, String namespace) {
    return spark.sql("SHOW TABLES IN " + CATALOG + "." + namespace).collectAsList().stream()
        .filter(table -> !table.getBoolean(2))
        .map(table -> namespace + "." + table.getString(1))
        .toList();
  }
}
