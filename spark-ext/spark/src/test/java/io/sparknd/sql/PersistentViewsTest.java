/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests views and SQL functions of a catalog over table functions. */
class PersistentViewsTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeTables() {
    dropAll();
    spark.sql("CREATE DATABASE kept_views");
    spark.sql("USE kept_views");
    spark.sql(
        "CREATE TABLE emb USING parquet TBLPROPERTIES ('sparknd.shape' = '4, 2') AS SELECT id,"
            + " array(float(id), float(id * 10)) AS vec FROM range(4)");
    spark.sql("CREATE TABLE clicks USING parquet AS SELECT id + 1 AS id FROM range(2)");
  }

  @AfterEach
  void dropAll() {
    spark.sql("DROP DATABASE IF EXISTS kept_views CASCADE");
  }

  /** Runs a statement in a session that made none of the tables and has another database. */
  private static List<String> elsewhere(String statement) {
    return LocalSpark.session().newSession().sql(statement).toJSON().collectAsList();
  }

  @Test
  void aViewMayCallATableFunction() {
    spark.sql("CREATE VIEW features AS SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks))");
    assertThat(elsewhere("SELECT * FROM kept_views.features ORDER BY id"))
        .containsExactly("{\"id\":1,\"vec\":[1.0,10.0]}", "{\"id\":2,\"vec\":[2.0,20.0]}");
    spark.sql("INSERT INTO clicks VALUES (0)");
    assertThat(elsewhere("SELECT count(*) AS n FROM kept_views.features"))
        .containsExactly("{\"n\":3}");
    spark.sql(
        "ALTER VIEW features AS SELECT * FROM tensor_scatter_nd_max(TABLE(emb), TABLE(SELECT 0 AS"
            + " id, array(9F, 9F) AS vec))");
    assertThat(elsewhere("SELECT vec FROM kept_views.features WHERE id = 0"))
        .containsExactly("{\"vec\":[9.0,9.0]}");
  }

  /**
   * Spark 4.1 does not call a SQL function whose text has table arguments, and takes no qualified
   * names of functions in FROM.
   */
  @Test
  void aFunctionMayReadSuchAView() {
    spark.sql("CREATE VIEW features AS SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks))");
    spark.sql(
        "CREATE FUNCTION feature(wanted BIGINT) RETURNS TABLE(id BIGINT, vec ARRAY<FLOAT>) RETURN"
            + " SELECT f.id, f.vec FROM features AS f WHERE f.id = feature.wanted");
    SparkSession other = LocalSpark.session().newSession();
    other.sql("USE kept_views");
    assertThat(other.sql("SELECT * FROM feature(2)").toJSON().collectAsList())
        .containsExactly("{\"id\":2,\"vec\":[2.0,20.0]}");
    spark.sql(
        "CREATE FUNCTION other() RETURNS TABLE(id BIGINT, vec ARRAY<FLOAT>) RETURN SELECT * FROM"
            + " gather_nd(TABLE(emb), TABLE(clicks))");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM other()"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("TABLE_VALUED_ARGUMENTS_NOT_YET_IMPLEMENTED_FOR_SQL_FUNCTIONS");
  }
}
