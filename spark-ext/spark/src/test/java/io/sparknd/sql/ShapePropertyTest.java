/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.connector.catalog.DelegatingCatalogExtension;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.V1Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the property {@code sparknd.shape} of tables whose catalog keeps properties elsewhere. */
class ShapePropertyTest {
  private static final String TABLE = "shape_in_a_log";

  private final SparkSession spark = LocalSpark.session().newSession();

  /** As Delta's, whose tables have their properties in a log and none in the metastore. */
  public static final class CatalogOfLogs extends DelegatingCatalogExtension {
    @Override
    public Table loadTable(Identifier name) throws NoSuchTableException {
      Table table = super.loadTable(name);
      return table instanceof V1Table stored && name.name().equals(TABLE)
          ? new Logged(stored.catalogTable())
          : table;
    }
  }

  private static final class Logged extends V1Table {
    private static final long serialVersionUID = 1;

    Logged(CatalogTable table) {
      super(table);
    }

    @Override
    public Map<String, String> properties() {
      return Map.of("sparknd.shape", "3, 2");
    }
  }

  @AfterEach
  void dropTable() {
    spark.sql("DROP TABLE IF EXISTS " + TABLE);
  }

  @Test
  void propertiesAreThoseThatTheCatalogShows() {
    spark.conf().set("spark.sql.catalog.spark_catalog", CatalogOfLogs.class.getName());
    spark.sql(
        "CREATE TABLE "
            + TABLE
            + " USING parquet AS SELECT id, array(id, id + 10) AS vec FROM range(3)");
    String gather = "SELECT * FROM gather_nd(TABLE(%s), TABLE(SELECT 2L AS id))";
    assertThat(spark.sql(String.format(gather, TABLE)).toJSON().collectAsList())
        .containsExactly("{\"id\":2,\"vec\":[2,12]}");
    assertThatThrownBy(
            () -> spark.sql(String.format(gather, "SELECT id, vec FROM " + TABLE)).collectAsList())
        .hasMessageContaining("is a query");
  }

  @Test
  void filesHaveNoProperties(@TempDir Path folder) {
    String files = folder.resolve("t").toString();
    spark.range(2).selectExpr("id", "id AS v").write().parquet(files);
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE(parquet.`"
                        + files
                        + "`), TABLE(SELECT 1 AS id))"))
        .hasMessageContaining("with columns [id, v] is a query or files")
        .hasMessageContaining("pass shape => array(...)");
  }
}
