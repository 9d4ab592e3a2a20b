/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.EVENTS;
import static io.sparknd.table.TensorCatalogTables.insert;
import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static io.sparknd.table.TensorCatalogTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statements that are Iceberg's own in a {@link TensorCatalog}. */
class TensorCatalogTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE %s SET views = 9",
        "MERGE INTO %s t USING (SELECT 'u1' AS user) s ON t.user = s.user"
            + " WHEN MATCHED THEN UPDATE SET views = 7"
      })
  void statementsOfIcebergNeedATimeThatIsOne(String statement) {
    String table = users();
    insert(table, EVENTS);
    String setting = "spark.sql.iceberg.snapshot-property.sparknd.valid-at";
    List<String> before = rows("SELECT * FROM " + table);
    spark.conf().set(setting, "2026-05-01");
    try {
      assertThatThrownBy(() -> spark.sql(statement.formatted(table)))
          .hasStackTraceContaining("snapshot-property.sparknd.valid-at '2026-05-01' is not a time");
      assertThat(rows("SELECT * FROM " + table)).isEqualTo(before);
      spark.conf().set(setting, "2026-05-01T02:00:00+02:00");
      spark.sql(statement.formatted(table));
    } finally {
      spark.conf().unset(setting);
    }
    assertThat(FeatureTable.open(spark, table).iceberg().currentSnapshot().summary())
        .containsEntry("sparknd.valid-at", "2026-05-01T02:00:00+02:00");
  }

  @Test
  void statementsOfIcebergAreIcebergs() {
    String table = users();
    insert(table, EVENTS);
    spark.sql("UPDATE " + table + " SET views = 100 WHERE user = 'u1'");
    spark.sql("DELETE FROM " + table + " WHERE user = 'u2'");
    spark.sql(
        "MERGE INTO "
            + table
            + " t USING (SELECT 'u9' AS user) s ON t.user = s.user"
            + " WHEN NOT MATCHED THEN INSERT (user, views) VALUES (s.user, 7)");
    insert(table, EVENTS);
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,104]", "[u2,2]", "[u9,7]");
    assertThat(spark.table(table + ".snapshots").count()).isEqualTo(5);
    org.apache.iceberg.Table iceberg = FeatureTable.open(spark, table).iceberg();
    iceberg.manageSnapshots().createBranch("test", iceberg.currentSnapshot().snapshotId()).commit();
    spark.sql("INSERT INTO " + table + ".branch_test (user, views) VALUES ('u1', 1)");
    assertThat(rows("SELECT views FROM " + table + ".branch_test WHERE user = 'u1'"))
        .containsExactly("[105]");
    assertThat(rows("SELECT views FROM " + table + " WHERE user = 'u1'")).containsExactly("[104]");
  }

  @Test
  void otherTablesAreIcebergs() throws Exception {
    String name = name();
    spark.sql("CREATE TABLE " + name + " USING iceberg AS SELECT 1 AS a");
    spark.sql("INSERT OVERWRITE " + name + " SELECT 2");
    spark.range(1).selectExpr("3 AS a").writeTo(name).append();
    assertThat(rows("SELECT a FROM " + name + " ORDER BY a")).containsExactly("[2]", "[3]");
  }

  @Test
  void proceduresOfIcebergAreIcebergs(@TempDir Path folder) {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, views BIGINT) USING iceberg LOCATION '"
            + folder.resolve("users").toUri()
            + "' TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.views.reduction' = 'add')");
    for (int i = 0; i < 3; i++) {
      spark.sql("INSERT INTO " + table + " VALUES ('u" + i % 2 + "', 1), ('u2', 1)");
    }
    assertThat(folder.resolve("users")).isDirectoryContaining("glob:**/data");
    spark.sql(
        "CALL nd_lake.system.rewrite_data_files(table => '"
            + table
            + "', options => map('rewrite-all', 'true'))");
    spark.sql("CALL nd.system.compact('" + table + "')");
    spark.sql("INSERT INTO " + table + " VALUES ('u2', 1)");
    assertThat(rows("SELECT * FROM " + table + " ORDER BY user"))
        .containsExactly("[u0,2]", "[u1,1]", "[u2,4]");
    spark.sql("DROP TABLE " + table);
  }

  @Test
  void tableFunctionsKnowTheTables() {
    String table = users();
    insert(table, EVENTS);
    assertThat(
            rows(
                "SELECT views, city FROM gather_nd(TABLE("
                    + table
                    + "), TABLE(SELECT 'u2' AS user))"))
        .containsExactly("[2,Bern]");
  }
}
