/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls in a session that was started without the extension, in a JVM that has it. */
class SessionWithoutExtensionTest {
  private static final String CONDITION = "SPARKND_SESSION_WITHOUT_EXTENSION";
  private static final String FIX = "spark.sql.extensions=io.sparknd.sql.NdExtensions";

  private final SparkSession with = LocalSpark.session().newSession();

  /** Only builders of sessions look for service files. */
  private final SparkSession without =
      new org.apache.spark.sql.classic.SparkSession(with.sparkContext());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))",
        "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 1, 2), TABLE(SELECT 1, 2), array(3))",
        "SELECT * FROM gather_nd(TABLE(SELECT 1, 2), TABLE(SELECT 1), array(3))",
        "EXPLAIN SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))"
      })
  void callsSayHowToStartOneThatHasIt(String statement) {
    assertThat(with.sql(statement).count()).isPositive();
    assertThatThrownBy(() -> without.sql(statement).collectAsList())
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition()).isEqualTo(CONDITION);
              assertThat(e.getSqlState()).isEqualTo("55000");
              assertThat(e.getMessage()).contains(FIX);
            });
  }

  @Test
  void viewsOfOtherSessionsSaySo() {
    with.sql("DROP VIEW IF EXISTS sums_of_others");
    with.sql("CREATE VIEW sums_of_others AS SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))");
    try {
      assertThatThrownBy(() -> without.sql("SELECT * FROM sums_of_others"))
          .isInstanceOfSatisfying(
              AnalysisException.class, e -> assertThat(e.getCondition()).isEqualTo(CONDITION));
    } finally {
      with.sql("DROP VIEW sums_of_others");
    }
  }

  @Test
  void datasetsSaySo() {
    assertThatThrownBy(
            () -> ScatterNd.of(without.sql("SELECT 1 AS i, 2 AS v"), Shape.of(3)).toDataset())
        .isInstanceOfSatisfying(
            SparkNdException.class, e -> assertThat(e.condition()).isEqualTo(CONDITION))
        .hasMessageContaining(FIX);
  }

  @Test
  void otherStatementsRun() {
    assertThat(without.sql("SELECT sum(id) FROM range(4)").first().getLong(0)).isEqualTo(6);
    SparkSession.clearActiveSession();
    assertThat(with.sql("SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))").count())
        .isEqualTo(3);
  }
}
