/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.apache.spark.SparkContext;
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
  private final SparkSession without = withoutServices(with.sparkContext());

  /** Returns a session that was started where service files cannot be seen. */
  private static SparkSession withoutServices(SparkContext context) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new WithoutServices(before));
    try {
      return new org.apache.spark.sql.classic.SparkSession(context);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static final class WithoutServices extends ClassLoader {
    WithoutServices(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.endsWith("SparkSessionExtensionsProvider")
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))",
        "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 1, 2), TABLE(SELECT 1, 2), array(3))",
        "SELECT * FROM gather_nd(TABLE(SELECT 1, 2), TABLE(SELECT 1), array(3))",
        "CREATE VIEW never_made AS SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))"
      })
  void callsSayHowToStartOneThatHasIt(String statement) {
    assertThatThrownBy(() -> without.sql(statement).collectAsList())
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition()).isEqualTo(CONDITION);
              assertThat(e.getSqlState()).isEqualTo("55000");
              assertThat(e.getMessage()).contains(FIX);
            });
  }

  /** Spark prints errors of EXPLAIN. */
  @Test
  void explainSaysSo() {
    String call = "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2), array(3))";
    assertThat(without.sql("EXPLAIN " + call).collectAsList().toString()).contains(CONDITION);
    assertThat(with.sql("EXPLAIN " + call).collectAsList().toString()).contains("scatter_nd(shape");
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
