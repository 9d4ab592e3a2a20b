/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import py4j.reflection.MethodInvoker;
import py4j.reflection.ReflectionEngine;

/**
 * Tests errors as classic PySpark sees them: it converts those of certain classes, calls them by
 * Py4J, and fails while it logs one that has a context and a condition that Spark does not know.
 */
class PySparkErrorsTest {
  private static final String MISSING =
      "SELECT * FROM gather_nd(TABLE(SELECT id AS i, 1.0D AS v FROM range(4)),"
          + " TABLE(SELECT id + 3 AS i FROM range(2)), shape => array(4))";
  private static final String UNKNOWN =
      "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2.0D), shap => 4)";

  private final SparkSession spark = LocalSpark.session();
  private final ReflectionEngine engine = new ReflectionEngine();

  private Object calledByPython(Object error, String method) {
    MethodInvoker invoker = engine.getMethod(error, method, new Object[0]);
    return engine.invoke(error, invoker, new Object[0]);
  }

  private Throwable error(String statement) {
    return catchThrowable(() -> spark.sql(statement).collectAsList());
  }

  @Test
  void errorsOfRunningQueriesAreOfAClassThatPySparkConverts() {
    Throwable error = error(MISSING);
    assertThat(error)
        .isInstanceOf(SparkNdException.class)
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(((SparkThrowable) error).getQueryContext()).hasSize(1);
    assertThat((QueryContext[]) calledByPython(error, "getQueryContext")).isEmpty();
    assertThat(calledByPython(error, "getCondition"))
        .isEqualTo(((SparkNdException) error).condition());
    assertThat(calledByPython(error, "getSqlState")).isEqualTo("22003");
  }

  @Test
  void errorsOfAnalysisHaveNoContextInPySpark() {
    Throwable error = error(UNKNOWN);
    assertThat(error).isInstanceOf(AnalysisException.class);
    assertThat(((SparkThrowable) error).getQueryContext()).hasSize(1);
    assertThat((QueryContext[]) calledByPython(error, "getQueryContext")).isEmpty();
    assertThat(calledByPython(error, "getCondition"))
        .isEqualTo("SPARKND_UNKNOWN_ARGUMENT.UNKNOWN_ARGUMENT");
  }

  @Test
  void errorsOfTheDriverAreOfAClassThatPySparkConverts() {
    SparkNdException error = SparkErrors.badTableName("a b", new IllegalStateException());
    assertThat(error)
        .isInstanceOf(IllegalArgumentException.class)
        .isInstanceOf(SparkThrowable.class);
  }
}
