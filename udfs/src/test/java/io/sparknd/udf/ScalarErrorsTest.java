/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the errors of scalar functions as programs and SQL scripts see them. */
class ScalarErrorsTest {
  private static final String REFUSED = "SELECT gather_nd(array(1, 2), 'where')";
  private static final String FAILED =
      "SELECT gather_nd(array(1, 2), array(array(id + 1))) FROM range(4)";

  private static final String GROUP_FAILED =
      "SELECT scatter_nd_agg(id, 1, array(3)) FROM range(4) GROUP BY id % 2";

  private final SparkSession spark = LocalSpark.session().newSession();

  private static SparkThrowable thrown(Throwable error, String condition, String sqlState) {
    assertThat(error).isInstanceOf(SparkThrowable.class);
    SparkThrowable thrown = (SparkThrowable) error;
    assertThat(thrown.getCondition()).startsWith(condition);
    assertThat(thrown.getSqlState()).isEqualTo(sqlState);
    assertThat(thrown.getMessageParameters()).isNotEmpty();
    assertThat(thrown.getQueryContext()).hasSize(1);
    assertThat(thrown.getQueryContext()[0].fragment()).contains("_nd");
    return thrown;
  }

  @Test
  void analysisErrorsHaveTheirCondition() {
    Throwable error = catchThrowable(() -> spark.sql(REFUSED));
    assertThat(error).isInstanceOf(AnalysisException.class);
    thrown(error, "SPARKND_INVALID_INDICES.NOT_INDICES", "42K09");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CODEGEN_ONLY", "NO_CODEGEN"})
  void errorsOfRowsKeepConditionAndPosition(String mode) {
    spark.conf().set("spark.sql.codegen.factoryMode", mode);
    spark.conf().set("spark.sql.codegen.wholeStage", String.valueOf(mode.equals("CODEGEN_ONLY")));
    Throwable error = catchThrowable(() -> spark.sql(FAILED).collectAsList());
    thrown(error, "SPARKND_INDEX_OUT_OF_BOUNDS", "22003");
  }

  @Test
  void errorsOfGroupsKeepConditionAndPosition() {
    Throwable error = catchThrowable(() -> spark.sql(GROUP_FAILED).collectAsList());
    SparkThrowable thrown = thrown(error, "SPARKND_INDEX_OUT_OF_BOUNDS", "22003");
    assertThat(thrown.getQueryContext()[0].fragment()).startsWith("scatter_nd_agg(id");
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {REFUSED, FAILED, GROUP_FAILED})
  void handlersOfScriptsCatchAllErrors(String statement) {
    spark.conf().set("spark.sql.scripting.enabled", "true");
    String script =
        """
        BEGIN
          DECLARE EXIT HANDLER FOR SQLEXCEPTION
          BEGIN
            SELECT 'handled';
          END;
          %s;
        END
        """;
    assertThat(spark.sql(script.formatted(statement)).first().getString(0)).isEqualTo("handled");
  }
}
