/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Without that, Spark would make a view that no query can read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE VIEW %s AS SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), dims)",
        "CREATE VIEW %s AS SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), shape => dims)",
        "CREATE VIEW %s AS SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), array(dims[0], 2))",
        "CREATE VIEW %s AS SELECT count(*) AS n FROM scatter_nd(TABLE(emb), shape => dims)",
        "CREATE VIEW %s AS SELECT (SELECT count(*) FROM scatter_nd(TABLE(emb), dims)) AS n",
      })
  void aViewMayNotHaveASessionVariable(String statement) {
    spark.sql("DECLARE OR REPLACE VARIABLE dims = array(4, 2)");
    assertThatThrownBy(() -> spark.sql(statement.formatted("by_variable")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("INVALID_TEMP_OBJ_REFERENCE")
        .hasMessageContaining("dims");
    assertThat(spark.catalog().tableExists("by_variable")).isFalse();
    spark.sql(statement.formatted("by_variable").replace("CREATE VIEW", "CREATE TEMP VIEW"));
    assertThat(spark.sql("SELECT * FROM by_variable").count()).isPositive();
  }

  @Test
  void aTemporaryViewReadsTheValueOfTheDay() {
    spark.sql("DECLARE OR REPLACE VARIABLE least = 2");
    spark.sql(
        "CREATE TEMP VIEW sums AS SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, 5 AS v),"
            + " array(least))");
    assertThat(spark.sql("SELECT * FROM sums").count()).isEqualTo(2);
    spark.sql("SET VARIABLE least = 4");
    Dataset<Row> rows = (Dataset<Row>) spark.sql("SELECT * FROM sums");
    assertThat(rows.count()).isEqualTo(4);
    assertThat(rows.queryExecution().optimizedPlan().toString()).doesNotContain("Filter");
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
