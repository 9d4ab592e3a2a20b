/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalog.Table;

/**
 * Tables and views in Spark's own catalog. Without a metastore it is in memory, and later calls do
 * not know them.
 *
 * @param err stays open
 */
record UnkeptTables(SparkSession spark, PrintWriter err) implements AutoCloseable {
  private static final String CATALOG = "spark_catalog";

  /** Says what ends with the session. */
  @Override
  public void close() {
    List<String> names = isInMemory() ? names() : List.of();
    if (!names.isEmpty()) {
      err.println(
          "only this call knows "
              + String.join(", ", names)
              + ": Spark's own catalog is in memory. Create tables in a catalog that keeps them, as"
              + " lake.NAMESPACE.TABLE");
    }
  }

  private boolean isInMemory() {
    return spark.conf().get("spark.sql.catalogImplementation", "in-memory").equals("in-memory")
        && spark.conf().getOption("spark.sql.catalog." + CATALOG).isEmpty();
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (Row namespace : spark.sql("SHOW NAMESPACES IN " + CATALOG).collectAsList()) {
      String quoted = CATALOG + ".`" + namespace.getString(0).replace("`", "``") + "`";
      for (Table table : spark.catalog().listTables(quoted).collectAsList()) {
        if (!table.isTemporary()) {
          names.add(namespace.getString(0) + "." + table.name());
        }
      }
    }
    return names;
  }
}
