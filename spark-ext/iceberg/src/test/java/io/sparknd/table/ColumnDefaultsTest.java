/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTest.name;
import static io.sparknd.table.TensorCatalogTest.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests defaults of columns, which are fill values of variables. */
class ColumnDefaultsTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTest.addCatalog();
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
}
