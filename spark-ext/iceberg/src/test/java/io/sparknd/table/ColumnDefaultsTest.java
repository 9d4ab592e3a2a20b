/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests defaults of columns, which are fill values of variables. */
class ColumnDefaultsTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  private static void create(String table, String variables) {
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, "
            + variables
            + ") USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')");
  }

  /** The value of the statement that declares it would be that of all later rows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TIMESTAMP     | current_timestamp()
          TIMESTAMP     | now() + INTERVAL 1 DAY
          TIMESTAMP_NTZ | localtimestamp()
          DATE          | current_date()
          BIGINT        | unix_timestamp()
          STRING        | current_user()
          STRING        | concat('by ', current_schema())
          STRING        | current_timezone()
          """)
  void defaultsAreConstant(String type, String value) {
    String table = name();
    String column = "made " + type + " DEFAULT " + value;
    assertThatThrownBy(() -> create(table, column))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the DEFAULT of column made is " + value)
        .hasMessageContaining("name the column in INSERT");
    assertThat(spark.catalog().tableExists(table)).isFalse();
    create(table, "views BIGINT DEFAULT 1 + 1");
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ADD COLUMN " + column))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the DEFAULT of column made is " + value);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN made " + type);
    spark.sql("INSERT INTO " + table + " (user, made) VALUES ('u', " + value + ")");
    assertThat(rows("SELECT views, made IS NULL FROM " + table)).containsExactly("[2,false]");
  }

  private static Table iceberg(String table) {
    return FeatureTable.open(spark, table).iceberg();
  }

  private static List<String> gathered(String table, String column) {
    return rows(
        "SELECT user, "
            + column
            + " FROM gather_nd(TABLE("
            + table
            + "), TABLE(SELECT explode(array('old', 'new', 'none')) AS user)) ORDER BY user");
  }

  /** As in Iceberg's own writer. Rows of files from before the column have the first default. */
  @Test
  void newRowsHaveTheWriteDefault() {
    String table = name();
    create(table, "views BIGINT");
    spark.sql("INSERT INTO " + table + " VALUES ('old', 1)");
    iceberg(table)
        .updateSchema()
        .addColumn("tier", Types.StringType.get(), Literal.of("free"))
        .addColumn("code", Types.BinaryType.get(), bytes(0xFF, 1))
        .commit();
    iceberg(table)
        .updateSchema()
        .updateColumnDefault("tier", Literal.of("basic"))
        .updateColumnDefault("code", bytes(0xFF, 2))
        .commit();
    spark.sql("REFRESH TABLE " + table);
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('new', 2)");
    assertThat(rows("SELECT user, tier, hex(code) FROM " + table + " ORDER BY user"))
        .containsExactly("[new,basic,FF02]", "[old,free,FF01]");
    assertThat(gathered(table, "tier"))
        .containsExactly("[new,basic]", "[none,basic]", "[old,free]");
    assertThat(gathered(table, "hex(code)"))
        .containsExactly("[new,FF02]", "[none,FF02]", "[old,FF01]");
    spark.sql(
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.tier.fill' = 'gold')");
    assertThat(gathered(table, "tier")).containsExactly("[new,basic]", "[none,gold]", "[old,free]");
  }

  private static void alter(String table, String change) {
    spark.sql("ALTER TABLE " + table + " ALTER COLUMN " + change);
  }

  @Test
  void defaultsOfVariablesChange() {
    String table = name();
    create(table, "views BIGINT DEFAULT 0, seen TIMESTAMP");
    spark.sql("ALTER TABLE " + table + " ADD COLUMN tier STRING DEFAULT 'free'");
    alter(table, "views SET DEFAULT 2 + 3, tier SET DEFAULT 'basic'");
    alter(table, "seen SET DEFAULT timestamp'2026-03-01 00:00:00+09:00'");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('old', 1)");
    assertThat(gathered(table, "views, tier, unix_seconds(seen)"))
        .containsExactly(
            "[new,5,basic,1772290800]", "[none,5,basic,1772290800]", "[old,1,basic,1772290800]");
    assertThat(writeDefault(table, "tier")).isEqualTo("basic");
    assertThat(iceberg(table).properties())
        .containsEntry("sparknd.variable.seen.fill", "2026-02-28T15:00:00Z");
    for (String column : List.of("views", "tier", "seen")) {
      alter(table, column + " DROP DEFAULT");
    }
    assertThat(gathered(table, "views, tier, unix_seconds(seen)"))
        .containsExactly(
            "[new,null,null,null]", "[none,null,null,null]", "[old,1,basic,1772290800]");
    assertThat(writeDefault(table, "tier")).isNull();
    alter(table, "views SET DEFAULT 4");
    alter(table, "views SET DEFAULT NULL");
    assertThat(gathered(table, "views")).containsExactly("[new,null]", "[none,null]", "[old,1]");
  }

  /** Else another engine would write the value of before into its rows. */
  @Test
  void propertiesOfFillValuesChangeDefaults() {
    String table = name();
    create(table, "views BIGINT");
    spark.sql("ALTER TABLE " + table + " ADD COLUMN tier STRING DEFAULT 'free'");
    spark.sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.tier.fill' = 'gold',"
            + " 'sparknd.variable.views.fill' = '7')");
    assertThat(writeDefault(table, "tier")).isEqualTo("gold");
    assertThat(gathered(table, "views, tier")).contains("[none,7,gold]");
    spark.sql("ALTER TABLE " + table + " UNSET TBLPROPERTIES ('sparknd.variable.tier.fill')");
    assertThat(writeDefault(table, "tier")).isNull();
    assertThat(gathered(table, "tier")).contains("[none,null]");
  }

  private static @Nullable Object writeDefault(String table, String column) {
    return iceberg(table).schema().findField(column).writeDefault();
  }

  @Test
  void defaultsThatAreNoFillValuesAreErrors() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, seen TIMESTAMP, views BIGINT, s STRUCT<a: INT>) USING"
            + " iceberg TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.ttl' = 'P30D',"
            + " 'sparknd.ttl-column' = 'seen')");
    for (List<String> wrong :
        List.of(
            List.of("seen SET DEFAULT now()", "which depends on the time or the session"),
            List.of("seen SET DEFAULT timestamp'2026-03-01'", "a column without a fill value"),
            List.of("user SET DEFAULT 'u'", "column user is of the key of feature table"),
            List.of("user DROP DEFAULT", "column user is of the key of feature table"),
            List.of("user DROP NOT NULL", "column user is of the key of feature table"))) {
      assertThatThrownBy(() -> alter(table, wrong.get(0)))
          .as(wrong.get(0))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(wrong.get(1));
    }
    assertThatThrownBy(() -> alter(table, "views SET NOT NULL"))
        .hasMessageNotContaining("the type of column");
    assertThat(gathered(table, "views, seen")).contains("[none,null,null]");
  }

  @Test
  void columnsThatOthersMadeRequiredMayBeNullAgain() {
    String table = name();
    create(table, "views BIGINT, city STRING");
    iceberg(table).updateSchema().allowIncompatibleChanges().requireColumn("city").commit();
    spark.sql("REFRESH TABLE " + table);
    Dataset<Row> row = spark.sql("SELECT 'new' AS user, 2L AS views");
    assertThatThrownBy(() -> FeatureTable.open(spark, table).scatter(row))
        .hasMessageContaining("city");
    alter(table, "city DROP NOT NULL");
    FeatureTable.open(spark, table).scatter(row);
    assertThat(rows("SELECT * FROM " + table)).containsExactly("[new,2,null]");
  }

  @Test
  void columnsWithoutAWriteDefaultAreNull() {
    String table = name();
    create(table, "views BIGINT");
    spark.sql("INSERT INTO " + table + " VALUES ('old', 1)");
    Table iceberg = iceberg(table);
    iceberg.updateSchema().addColumn("tier", Types.StringType.get(), Literal.of("free")).commit();
    iceberg.updateSchema().updateColumnDefault("tier", null).commit();
    spark.sql("REFRESH TABLE " + table);
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('new', 2)");
    assertThat(gathered(table, "tier")).containsExactly("[new,null]", "[none,null]", "[old,free]");
  }

  @Test
  void requiredColumnsHaveTheirWriteDefault() {
    String table = name();
    create(table, "views BIGINT");
    Table iceberg = iceberg(table);
    iceberg
        .updateSchema()
        .addRequiredColumn("tier", Types.StringType.get(), Literal.of("free"))
        .commit();
    iceberg.updateSchema().updateColumnDefault("tier", Literal.of("basic")).commit();
    spark.sql("REFRESH TABLE " + table);
    FeatureTable.open(spark, table).scatter(spark.sql("SELECT 'new' AS user, 2L AS views"));
    assertThat(rows("SELECT tier FROM " + table)).containsExactly("[basic]");
  }

  private static Literal<ByteBuffer> bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Literal.of(ByteBuffer.wrap(bytes));
  }
}
