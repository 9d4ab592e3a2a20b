/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.EVENTS;
import static io.sparknd.table.TensorCatalogTables.insert;
import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static io.sparknd.table.TensorCatalogTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.iceberg.TableUtil;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests definitions of tables of a {@link TensorCatalog}. */
class CatalogDefinitionTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  /** Of a property, the statement's value counts, then the catalog's default, then SparkND's. */
  @Test
  void tablesHaveTheDefaultsOfTheirCatalog() {
    LocalCatalog.settings("default_lake", TestTables.place().resolveSibling("default-lake"))
        .forEach(spark.conf()::set);
    String catalog = "spark.sql.catalog.default_lake";
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("defaults").toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("defaults.db"));
    spark.conf().set(catalog + ".table-default.format-version", "2");
    spark.conf().set(catalog + ".table-default.write.parquet.compression-codec", "zstd");
    spark.conf().set(catalog + ".table-default.write.parquet.page-size-bytes", "65536");
    spark.sql("CREATE NAMESPACE IF NOT EXISTS default_lake.shop");
    String definition =
        "CREATE TABLE default_lake.shop.%s (k BIGINT NOT NULL, n BIGINT DEFAULT 0) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'k', 'sparknd.variable.n.reduction' = 'add'%s)";
    spark.sql(definition.formatted("a", ""));
    spark.sql(definition.formatted("b", ", 'format-version' = '3'"));
    FeatureTable table = FeatureTable.open(spark, "default_lake.shop.a");
    assertThat(TableUtil.formatVersion(table.iceberg())).isEqualTo(2);
    assertThat(table.iceberg().properties())
        .containsEntry("write.parquet.compression-codec", "zstd")
        .containsEntry("write.parquet.page-size-bytes", "65536")
        .containsEntry("write.metadata.previous-versions-max", "20");
    assertThat(TableUtil.formatVersion(FeatureTable.open(spark, "default_lake.shop.b").iceberg()))
        .isEqualTo(3);
    TensorTable tensor =
        TensorTable.create(spark, "default_lake.shop.c", TensorSpec.of(DType.INT64, Shape.of(10)));
    assertThat(TableUtil.formatVersion(tensor.iceberg())).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      spark.sql("INSERT INTO default_lake.shop.a SELECT id, 1 FROM range(5)");
    }
    assertThat(table.toDataset().where("n = 2").count()).isEqualTo(5);
  }

  /** Iceberg drops the length. */
  @Test
  void lengthsOfStringsAreRefused() {
    String table = name();
    String create =
        "CREATE TABLE %s (user %s, code %s) USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')";
    for (String columns :
        List.of(
            create.formatted(table, "VARCHAR(5)", "STRING"),
            create.formatted(table, "STRING", "VARCHAR(5)"),
            create.formatted(table, "STRING", "ARRAY<CHAR(5)>"))) {
      assertThatThrownBy(() -> spark.sql(columns))
          .as(columns)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("strings of an Iceberg table have no length");
    }
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("user", "string");
    assertThatThrownBy(
            () -> FeatureTable.create(spark, table, spec.with(Variable.of("code", "varchar(5)"))))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column code is varchar(5);")
        .hasMessageContaining("declare it as string,");
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark, table, spec.with(Variable.of("codes", "map<string, array<char(2)>>"))))
        .hasMessageContaining("declare it as map<string,array<string>>,");
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark,
                    table,
                    FeatureTableSpec.keyedBy("user", "char(3)").with(Variable.of("n", "bigint"))))
        .hasMessageContaining("column user is char(3);");
    spark.sql(create.formatted(table, "STRING NOT NULL", "STRING"));
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ADD COLUMN town VARCHAR(9)"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column town is varchar(9);");
  }

  @Test
  void propertiesOfMisspeltVariablesAreRefused() {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string").with(Variable.of("views", "bigint"));
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark, name(), spec.withProperty("sparknd.variable.vews.reduction", "add")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no variable vews; its variables are [user, views]");
  }

  /** Iceberg drops the collation, so that 'U1' and 'u1' would be two keys. */
  @Test
  void collationsAreRefused() {
    String table = name();
    String create =
        "CREATE TABLE %s (user %s, city %s) USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')";
    String collated = "STRING COLLATE UTF8_LCASE";
    for (String columns :
        List.of(
            create.formatted(table, collated, "STRING"),
            create.formatted(table, "STRING", collated),
            create.formatted(table, "STRING", "STRUCT<a: MAP<STRING, ARRAY<" + collated + ">>>"))) {
      assertThatThrownBy(() -> spark.sql(columns))
          .as(columns)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("string collate UTF8_LCASE")
          .hasMessageContaining("an Iceberg table has no collations");
    }
    spark.sql(create.formatted(table, "STRING NOT NULL", "STRING COLLATE UTF8_BINARY"));
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ADD COLUMN town " + collated))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column town is string collate UTF8_LCASE;")
        .hasMessageContaining("declare it as string");
    assertThat(FeatureTable.open(spark, table).variables()).containsExactly("city");
  }

  @Test
  void overwritingIsRefused() {
    String table = users();
    insert(table, EVENTS);
    for (String statement :
        List.of(
            "INSERT OVERWRITE " + table + " SELECT * FROM " + table,
            "INSERT INTO " + table + " REPLACE WHERE user = 'u1' SELECT * FROM " + table)) {
      assertThatThrownBy(() -> spark.sql(statement)).hasMessageContaining("DELETE the old rows");
    }
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE TABLE "
                        + name()
                        + " USING iceberg TBLPROPERTIES ('sparknd.key' = 'user') AS"
                        + EVENTS))
        .hasMessageContaining("then INSERT");
    assertThat(rows("SELECT count(*) FROM " + table)).containsExactly("[2]");
  }

  @Test
  void definitionsAreChecked() {
    for (List<String> wrong :
        List.of(
            List.of("(a STRING) USING iceberg TBLPROPERTIES ('sparknd.key' = 'b')", "names b"),
            List.of(
                "(a STRING, v INT NOT NULL) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a')",
                "NOT NULL"),
            List.of(
                "(a STRING, v INT) USING iceberg PARTITIONED BY (v)"
                    + " TBLPROPERTIES ('sparknd.key' = 'a')",
                "bucket(N, COLUMN)"),
            List.of(
                "(a STRING, v STRING) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a',"
                    + " 'sparknd.variable.v.reduction' = 'mean')",
                "mean"),
            List.of(
                "(a STRING, v INT) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a',"
                    + " 'sparknd.variable.w.reduction' = 'add')",
                "has no variable w"),
            List.of("(a STRING) USING orc TBLPROPERTIES ('sparknd.key' = 'a')", "USING iceberg"),
            List.of(
                "(a STRING, v BINARY DEFAULT X'FF00') USING iceberg"
                    + " TBLPROPERTIES ('sparknd.key' = 'a')",
                "X'FF00', which is no UTF-8 text"),
            List.of("(a STRING, v INT DEFAULT 3) USING iceberg", "DEFAULT"))) {
      String name = name();
      assertThatThrownBy(() -> spark.sql("CREATE TABLE " + name + wrong.get(0)))
          .hasMessageContaining(wrong.get(1));
      assertThat(spark.catalog().tableExists(name)).isFalse();
    }
  }

  /** Iceberg's catalog would drop the default without a word. */
  @Test
  void tablesThatAreReplacedHaveNoDefaults() {
    String name = name();
    String columns = " (id BIGINT, v INT DEFAULT 5) USING iceberg";
    assertThatThrownBy(() -> spark.sql("CREATE OR REPLACE TABLE " + name + columns))
        .hasMessageContaining("column v has a DEFAULT");
    assertThat(spark.catalog().tableExists(name)).isFalse();
    spark.sql("CREATE OR REPLACE TABLE " + name + " (id BIGINT) USING iceberg");
    assertThatThrownBy(() -> spark.sql("REPLACE TABLE " + name + columns))
        .hasMessageContaining("column v has a DEFAULT");
    assertThat(spark.table(name).columns()).containsExactly("id");
  }

  @Test
  void defaultsOfBytesThatAreTextFillRows() {
    String name = name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id BIGINT NOT NULL, n INT, v BINARY DEFAULT X'C3A9') USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'id')");
    spark.sql("INSERT INTO " + name + " (id, n) VALUES (1, 2)");
    assertThat(rows("SELECT hex(v) FROM " + name)).containsExactly("[C3A9]");
  }

  /** Iceberg keeps the properties of a table that is replaced, which name columns that are gone. */
  @Test
  void aReplacedTableIsNoTensorAndHasNoVariables() {
    String tensor = name();
    TensorTable.create(
        spark, tensor, TensorSpec.of(DType.INT64, Shape.of(4)).withProperty("owner.team", "ads"));
    for (String table : List.of(users(), tensor, name())) {
      spark.sql(
          "CREATE OR REPLACE TABLE "
              + table
              + " USING iceberg TBLPROPERTIES ('sparknd.note' = 'x') AS SELECT 1 AS a");
      spark.sql("INSERT INTO " + table + " VALUES (1)");
      assertThat(rows("SELECT * FROM " + table)).containsExactly("[1]", "[1]");
      assertThat(spark.sql("SHOW TBLPROPERTIES " + table).where("key LIKE 'sparknd.%'").count())
          .isEqualTo(1);
    }
    assertThat(rows("SHOW TBLPROPERTIES " + tensor)).contains("[owner.team,ads]");
    spark.sql("REPLACE TABLE " + tensor + " (b INT) USING iceberg");
    assertThat(rows("SHOW TBLPROPERTIES " + tensor)).noneMatch(row -> row.contains("sparknd"));
  }
}
