/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests columns of variables that other engines rename, exchange or replace. */
class RenamedColumnsTest {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    spark = TestTables.spark();
    String catalog = "spark.sql.catalog.names_lake";
    LocalCatalog.settings("names_lake", TestTables.place().resolveSibling("names-lake"))
        .forEach(spark.conf()::set);
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark
        .conf()
        .set(catalog + ".warehouse", TestTables.place().resolve("names").toUri().toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("names.db"));
    spark.sql("CREATE NAMESPACE IF NOT EXISTS names_lake.shop");
  }

  /** Returns a table of u, whose views (added) and likes (their maximum) are 1. */
  private static String users() {
    String name = "names_lake.shop.users" + TABLES.incrementAndGet();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user STRING NOT NULL, city STRING, views BIGINT, likes BIGINT) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.views.reduction' = 'add',"
            + " 'sparknd.variable.likes.reduction' = 'max')");
    spark.sql("INSERT INTO " + name + " (user, views, likes) VALUES ('u', 1, 1)");
    return name;
  }

  /** Returns the table as another engine has it. */
  private static Table iceberg(String table) {
    Table iceberg = FeatureTable.open(spark, table).iceberg();
    iceberg.refresh();
    return iceberg;
  }

  private static void rename(Table iceberg, String from, String to) {
    iceberg.updateSchema().renameColumn(from, to).commit();
  }

  private static void refreshed(String table) {
    spark.sql("REFRESH TABLE " + table);
  }

  private static List<String> rows(String query) {
    return spark.sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  private static void assertRefused(String table, String column, String message) {
    String insert = "INSERT INTO " + table + " (user, " + column + ") VALUES ('u', 2)";
    assertThatThrownBy(() -> spark.sql(insert)).hasStackTraceContaining(message);
    assertThatThrownBy(() -> FeatureTable.open(spark, table)).hasMessageContaining(message);
  }

  /** By the new name, a count would be replaced and no longer added to. */
  @Test
  void columnsThatOthersRenameKeepTheirReductions() {
    String table = users();
    Table iceberg = iceberg(table);
    rename(iceberg, "views", "clicks");
    refreshed(table);
    assertRefused(
        table, "clicks", "column views of table " + table + " was renamed to clicks, but its");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN clicks TO views");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 2)");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN views TO clicks");
    spark.sql("INSERT INTO " + table + " (user, clicks) VALUES ('u', 2)");
    assertThat(rows("SELECT user, clicks FROM " + table)).containsExactly("[u,5]");
    iceberg.refresh();
    iceberg.updateSchema().deleteColumn("clicks").commit();
    spark.sql("INSERT INTO " + table + " (user) VALUES ('v')");
    assertThat(rows("SELECT user FROM " + table + " ORDER BY user")).containsExactly("[u]", "[v]");
  }

  @Test
  void renamesAreSeenWithoutEarlierSchemas() {
    String table = users();
    Table iceberg = iceberg(table);
    rename(iceberg, "views", "clicks");
    iceberg.newAppend().commit();
    iceberg
        .expireSnapshots()
        .expireOlderThan(System.currentTimeMillis())
        .cleanExpiredMetadata(true)
        .commit();
    assertThat(iceberg.schemas()).hasSize(1);
    refreshed(table);
    assertRefused(table, "clicks", "column views of table " + table + " was renamed to clicks");
  }

  @Test
  void exchangedNamesAreSeenAndExchangedBack() {
    String table = users();
    Table iceberg = iceberg(table);
    rename(iceberg, "views", "other");
    rename(iceberg, "likes", "views");
    rename(iceberg, "other", "likes");
    refreshed(table);
    assertRefused(table, "views", "column likes of table " + table + " was renamed to views");
    for (String back : List.of("views TO third", "likes TO views", "third TO likes")) {
      spark.sql("ALTER TABLE " + table + " RENAME COLUMN " + back);
    }
    spark.sql("INSERT INTO " + table + " (user, views, likes) VALUES ('u', 2, 2)");
    assertThat(rows("SELECT views, likes FROM " + table)).containsExactly("[3,2]");
  }

  /** A column that takes the name of a dropped one has values that its reduction does not mean. */
  @Test
  void columnsThatTakeANameAreNotReducedUntilTheyAreAccepted() {
    String table = users();
    spark.sql("ALTER TABLE " + table + " ADD COLUMN score BIGINT");
    spark.sql("INSERT INTO " + table + " (user, score) VALUES ('u', 5)");
    Table iceberg = iceberg(table);
    iceberg.updateSchema().deleteColumn("views").commit();
    rename(iceberg, "score", "views");
    refreshed(table);
    assertRefused(table, "views", "column views of table " + table + " is not the one that its");
    String alter = "ALTER TABLE " + table + " ";
    for (String change :
        List.of(
            "UNSET TBLPROPERTIES ('sparknd.variable.likes.field-id')",
            "SET TBLPROPERTIES ('sparknd.variable.views.field-id' = '1')")) {
      assertThatThrownBy(() -> spark.sql(alter + change)).hasMessageContaining("is fixed");
    }
    spark.sql(alter + "UNSET TBLPROPERTIES ('sparknd.variable.views.field-id')");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 2)");
    assertThat(rows("SELECT views FROM " + table)).containsExactly("[7]");
    assertThat(records(table)).containsOnlyKeys("views", "likes");
  }

  @Test
  void replacedColumnsMayBeDroppedAndAddedAsOthers() {
    String table = users();
    Table iceberg = iceberg(table);
    iceberg.updateSchema().deleteColumn("views").commit();
    iceberg.updateSchema().addColumn("views", Types.LongType.get()).commit();
    refreshed(table);
    assertRefused(table, "views", "column views of table " + table + " is not the one that its");
    iceberg.updateSchema().deleteColumn("views").commit();
    refreshed(table);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN views BIGINT");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 2)");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 3)");
    assertThat(rows("SELECT views FROM " + table)).containsExactly("[3]");
  }

  /** Tiles of instants would be read as those of local times. */
  @Test
  void columnsThatOrderUpdatesAndEndRowsAreRecordedToo() {
    String table = "names_lake.shop.visits";
    FeatureTable.create(
        spark,
        table,
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("seen", "timestamp"))
            .with(Variable.of("updated", "timestamp"))
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen"))));
    spark.sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.ttl' = 'P30D', 'sparknd.ttl-column' = 'updated')");
    assertThat(records(table)).containsOnlyKeys("city", "seen", "updated");
    Table iceberg = iceberg(table);
    rename(iceberg, "seen", "other");
    rename(iceberg, "updated", "seen");
    rename(iceberg, "other", "updated");
    refreshed(table);
    assertRefused(table, "city", "column seen of table " + table + " was renamed to updated");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN updated TO other");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN seen TO updated");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN other TO seen");
    spark.sql("ALTER TABLE " + table + " DROP COLUMN city");
    assertThat(records(table)).containsOnlyKeys("updated");
    iceberg.refresh();
    rename(iceberg, "seen", "viewed");
    FeatureTable.open(spark, table).scatter(spark.sql("SELECT 'u' AS user, now() AS viewed"));
  }

  @Test
  void theTimeToLiveMayBeThatOfAnotherColumnOrNone() {
    String table = users();
    spark.sql("ALTER TABLE " + table + " ADD COLUMNS (seen TIMESTAMP, updated TIMESTAMP)");
    String set = "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.ttl' = 'P30D', %s)";
    spark.sql(set.formatted("'sparknd.ttl-column' = 'seen'"));
    rename(iceberg(table), "seen", "viewed");
    refreshed(table);
    assertRefused(table, "views", "column seen of table " + table + " was renamed to viewed");
    spark.sql(set.formatted("'sparknd.ttl-column' = 'updated'"));
    assertThat(records(table)).containsOnlyKeys("views", "likes", "updated");
    rename(iceberg(table), "updated", "changed");
    refreshed(table);
    spark.sql(
        "ALTER TABLE " + table + " UNSET TBLPROPERTIES ('sparknd.ttl', 'sparknd.ttl-column')");
    assertThat(records(table)).containsOnlyKeys("views", "likes");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 2)");
    spark.sql(set.formatted("'sparknd.ttl-column' = 'changed'"));
    String fill =
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.changed.fill' = '1970-01-01 00:00:00Z')";
    assertThatThrownBy(() -> spark.sql(fill)).hasMessageContaining("without a fill value");
  }

  /** Returns the recorded field ids, by variable, after a check that they are those of columns. */
  private static Map<String, Integer> records(String table) {
    Table iceberg = iceberg(table);
    Map<String, Integer> records =
        iceberg.properties().entrySet().stream()
            .filter(property -> property.getKey().endsWith(".field-id"))
            .collect(
                Collectors.toMap(
                    property -> property.getKey().split("\\.")[2],
                    property -> Integer.valueOf(property.getValue())));
    records.forEach(
        (variable, id) -> assertThat(iceberg.schema().findField(variable).fieldId()).isEqualTo(id));
    return records;
  }

  @Test
  void eachChangeOfVariablesRecordsTheirColumns() {
    String table = users();
    assertThat(records(table)).containsOnlyKeys("views", "likes");
    spark.sql("ALTER TABLE " + table + " ADD COLUMN clicks BIGINT DEFAULT 0");
    assertThat(records(table)).containsOnlyKeys("views", "likes", "clicks");
    spark.sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.city.fill' = 'Oslo',"
            + " 'sparknd.variable.clicks.reduction' = 'min')");
    assertThat(records(table)).containsOnlyKeys("views", "likes", "clicks", "city");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN clicks TO visits");
    spark.sql("ALTER TABLE " + table + " DROP COLUMN likes");
    spark.sql("ALTER TABLE " + table + " UNSET TBLPROPERTIES ('sparknd.variable.city.fill')");
    assertThat(records(table)).containsOnlyKeys("views", "visits");
  }

  @Test
  void adoptionsRecordColumns() {
    String table = "names_lake.shop.adopted";
    spark.sql(
        "CREATE TABLE " + table + " (gone INT, user STRING NOT NULL, views DOUBLE) USING iceberg");
    spark.sql("ALTER TABLE " + table + " DROP COLUMN gone");
    Variable views = Variable.of("views", "DOUBLE").reducedBy(VariableReduction.mean());
    FeatureTable.adopt(spark, table, FeatureTableSpec.keyedBy("user", "STRING").with(views));
    assertThat(records(table)).containsOnlyKeys("views");
    assertThat(iceberg(table).properties())
        .containsEntry("sparknd.variable.views.state", "variable=3; columns=4,5; reduction=mean");
    // sums and counts would be left as they are
    iceberg(table).updateProperties().set("sparknd.variable.views.reduction", "max").commit();
    refreshed(table);
    assertRefused(table, "views", "set sparknd.variable.views.* back");
    String alter = "ALTER TABLE " + table + " SET TBLPROPERTIES ";
    assertThatThrownBy(() -> spark.sql(alter + "('sparknd.variable.views.reduction' = 'min')"))
        .hasMessageContaining("set sparknd.variable.views.* back");
    spark.sql(alter + "('sparknd.variable.views.reduction' = 'mean')");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 2), ('u', 3)");
    assertThat(rows("SELECT views FROM " + table)).containsExactly("[2.5]");
  }
}
