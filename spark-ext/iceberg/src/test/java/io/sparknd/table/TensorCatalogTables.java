/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.sql.NdCatalog;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Tables of a {@link TensorCatalog} for tests. */
final class TensorCatalogTables {
  private static final AtomicInteger TABLES = new AtomicInteger();

  private TensorCatalogTables() {}

  static void addCatalog() {
    SparkSession spark = TestTables.spark();
    String catalog = "spark.sql.catalog.nd_lake";
    LocalCatalog.settings("nd_lake", TestTables.place().resolveSibling("nd-lake"))
        .forEach(spark.conf()::set);
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("nd").toUri().toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("nd.db"));
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    spark.sql("CREATE NAMESPACE IF NOT EXISTS nd_lake.shop");
  }

  static String name() {
    return "nd_lake.shop.users" + TABLES.incrementAndGet();
  }

  static String users() {
    String name = name();
    TestTables.spark()
        .sql(
            "CREATE TABLE "
                + name
                + " (user STRING NOT NULL, views BIGINT DEFAULT 0 COMMENT 'pages seen', seen TIMESTAMP,"
                + " city STRING, taste ARRAY<FLOAT>) USING iceberg PARTITIONED BY (bucket(4, user))"
                + " TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.views.reduction' = 'add',"
                + " 'sparknd.variable.seen.reduction' = 'max',"
                + " 'sparknd.variable.city.reduction' = 'last', 'sparknd.variable.city.order' = 'seen',"
                + " 'sparknd.variable.taste.shape' = '[2]',"
                + " 'sparknd.variable.taste.reduction' = 'add')");
    return name;
  }

  static List<String> rows(String query) {
    return TestTables.spark().sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  static List<String> shown(String table) {
    return rows("SELECT user, views, city, taste FROM " + table + " ORDER BY user");
  }

  static final String EVENTS =
      " SELECT * FROM VALUES ('u1', 1L, timestamp'2026-03-01', 'Oslo', array(1F, 2F)),"
          + " ('u2', 2L, timestamp'2026-03-02', 'Bern', array(0F, 1F)),"
          + " ('u1', 3L, timestamp'2026-02-01', 'Rome', array(1F, 1F))"
          + " AS e(user, views, seen, city, taste)";

  static void insert(String table, String query) {
    TestTables.spark().sql("INSERT INTO " + table + " (user, views, seen, city, taste) " + query);
  }
}
