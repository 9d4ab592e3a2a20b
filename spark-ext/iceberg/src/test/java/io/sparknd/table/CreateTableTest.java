/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTest.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests {@code CREATE TABLE} of feature tables. */
class CreateTableTest {
  private static final AtomicBoolean IS_HIDDEN = new AtomicBoolean();
  private static SparkSession spark;

  @BeforeAll
  static void addCatalogs() {
    TensorCatalogTest.addCatalog();
    spark = TestTables.spark();
    String catalog = "spark.sql.catalog.nd_race";
    LocalCatalog.settings("nd_race", TestTables.place().resolveSibling("nd-race"))
        .forEach(spark.conf()::set);
    spark.conf().set(catalog, HiddenTables.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("race").toUri().toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("race.db"));
    spark.sql("CREATE NAMESPACE IF NOT EXISTS nd_race.shop");
  }

  /** A catalog that may say of each table that it is not there, as before another job made it. */
  public static final class HiddenTables extends TensorCatalog {
    @Override
    public boolean tableExists(Identifier identifier) {
      return !IS_HIDDEN.get() && super.tableExists(identifier);
    }
  }

  @Test
  void tablesThatAnotherJobCreatesMeanwhileAreTaken() {
    String table = name().replace("nd_lake", "nd_race");
    String create =
        "CREATE TABLE %s " + table + " (user STRING NOT NULL, views BIGINT) USING iceberg";
    String features = create + " TBLPROPERTIES ('sparknd.key' = 'user')";
    spark.sql(features.formatted(""));
    spark.sql("INSERT INTO " + table + " VALUES ('u', 1)");
    IS_HIDDEN.set(true);
    try {
      spark.sql(features.formatted("IF NOT EXISTS"));
      spark.sql(create.formatted("IF NOT EXISTS")); // as Iceberg's own table
      assertThatThrownBy(() -> spark.sql(features.formatted("")))
          .isInstanceOf(TableAlreadyExistsException.class)
          .hasMessageContaining("users");
    } finally {
      IS_HIDDEN.set(false);
    }
    assertThat(spark.table(table).count()).isEqualTo(1);
  }
}
