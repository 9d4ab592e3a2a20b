/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests handlers of SQL scripts for SparkND errors. */
class ScriptHandlersTest {
  private static final String UNKNOWN =
      "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2.0D), shap => 4)";
  private static final String OUT_OF_BOUNDS =
      "SELECT * FROM gather_nd(TABLE(SELECT id AS i, 1.0D AS v FROM range(4)),"
          + " TABLE(SELECT id + 3 AS i FROM range(2)), shape => array(4))";
  private static final String SCATTER_OUT_OF_BOUNDS =
      "SELECT * FROM scatter_nd(TABLE(SELECT id AS i, 1.0D AS v FROM range(9)), shape => array(4))";
  private static final String DECIMAL_OVERFLOW =
      "SELECT * FROM scatter_nd(TABLE(SELECT 0 AS i, cast('"
          + "9".repeat(38)
          + "' AS decimal(38)) AS v FROM range(2)),"
          + " shape => array(4))";
  private static final String PROCEDURE =
      "CALL nd.system.scatter_nd(table => 'nowhere.nobody.knows', updates => 'none')";

  private final SparkSession spark = session();

  private static SparkSession session() {
    SparkSession spark = LocalSpark.session().newSession();
    spark.conf().set("spark.sql.scripting.enabled", "true");
    spark.conf().set("spark.sql.scripting.continueHandlerEnabled", "true");
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    return spark;
  }

  private static String statement(String name) {
    return switch (name) {
      case "analysis" -> UNKNOWN;
      case "gather" -> OUT_OF_BOUNDS;
      case "scatter" -> SCATTER_OUT_OF_BOUNDS;
      case "result" -> DECIMAL_OVERFLOW;
      default -> PROCEDURE;
    };
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          analysis  | SPARKND_UNKNOWN_ARGUMENT    | 4274K
          gather    | SPARKND_INDEX_OUT_OF_BOUNDS | 22003
          scatter   | SPARKND_INDEX_OUT_OF_BOUNDS | 22003
          procedure | SPARKND_UNSUPPORTED_CATALOG | 0A000
          """)
  void handlersCatchAllSparkNdErrors(String name, String condition, String sqlState) {
    for (String handled : new String[] {"SQLEXCEPTION", "SQLSTATE '" + sqlState + "'", condition}) {
      assertThat(
              spark
                  .sql(
                      """
                      BEGIN
                        DECLARE %s CONDITION FOR SQLSTATE '%s';
                        DECLARE EXIT HANDLER FOR %s
                        BEGIN
                          SELECT 'handled';
                        END;
                        %s;
                        SELECT 'not reached';
                      END
                      """
                          .formatted(condition, sqlState, handled, statement(name)))
                  .collectAsList())
          .as(handled)
          .singleElement()
          .satisfies(row -> assertThat(row.getString(0)).isEqualTo("handled"));
    }
  }

  @ParameterizedTest
  @CsvSource({"analysis", "gather", "scatter", "procedure"})
  void scriptContinuesAfterAContinueHandler(String name) {
    assertThat(
            spark
                .sql(
                    """
                    BEGIN
                      DECLARE failures INT DEFAULT 0;
                      DECLARE CONTINUE HANDLER FOR SQLEXCEPTION
                      BEGIN
                        SET failures = failures + 1;
                      END;
                      %s;
                      SELECT failures;
                    END
                    """
                        .formatted(statement(name)))
                .collectAsList())
        .singleElement()
        .satisfies(row -> assertThat(row.getInt(0)).isEqualTo(1));
  }

  @Test
  void analysisErrorInAScriptKeepsItsCondition() {
    assertThatThrownBy(() -> spark.sql("BEGIN\n  " + UNKNOWN + ";\nEND"))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition()).isEqualTo("SPARKND_UNKNOWN_ARGUMENT.UNKNOWN_ARGUMENT");
              assertThat(e.getSqlState()).isEqualTo("4274K");
              assertThat(e.getMessageParameters())
                  .containsEntry("function", "scatter_nd")
                  .containsEntry("name", "shap");
              assertThat(e.getQueryContext()).isNotEmpty();
              assertThat(e.getQueryContext()[0].fragment()).startsWith("scatter_nd(");
              assertThat(e.getCause()).isInstanceOf(SparkNdException.class);
            });
  }

  @ParameterizedTest
  @CsvSource({"analysis", "gather", "scatter", "result", "procedure"})
  void errorsOfStatementsHaveConditionSqlStateAndContext(String name) {
    Throwable error = catchThrowable(() -> spark.sql(statement(name)).collectAsList());
    assertThat(error).isInstanceOf(SparkThrowable.class);
    SparkThrowable thrown = (SparkThrowable) error;
    assertThat(thrown.getCondition()).startsWith("SPARKND_");
    assertThat(thrown.getSqlState()).hasSize(5);
    assertThat(thrown.getMessageParameters()).isNotEmpty();
    assertThat(thrown.getQueryContext()).isNotEmpty();
    assertThat(thrown.getQueryContext()[0].fragment()).contains("_nd(");
  }
}
