/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

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
        && spark.conf().get("spark.sql.catalog." + CATALOG, "builtin").equals("builtin");
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (Row namespace : spark.sql("SHOW NAMESPACES IN " + CATALOG).collectAsList()) {
      String quoted = "`" + namespace.getString(0).replace("`", "``") + "`";
      spark
          .sql("SHOW TABLES IN " + CATALOG + "." + quoted)
          .where("NOT isTemporary")
          .selectExpr("concat(namespace, '.', tableName)")
          .as(Encoders.STRING())
          .collectAsList()
          .forEach(names::add);
    }
    return names;
  }
}
