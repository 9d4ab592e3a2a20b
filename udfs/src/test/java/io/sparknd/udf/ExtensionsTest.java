/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import io.sparknd.sql.NdExtensions;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that new sessions know the functions through the service file, by name, or through both.
 */
@Tag("slow")
class ExtensionsTest {
  private static final String ROWS = "1 2.5 0 9 0";

  private static final String QUERY =
      "SELECT *, array_join(tensor_scatter_nd_update(array(0, 0, 0), array(array(1)),"
          + " array(9)), ' ') FROM gather_nd(TABLE(SELECT 1 AS i, 2.5D AS v),"
          + " TABLE(SELECT 1 AS i), array(4))";

  private static final String NAMES =
      NdExtensions.class.getName() + "," + UdfExtensions.class.getName();

  @ParameterizedTest
  @CsvSource({
    "found, " + ROWS + ", " + ROWS,
    "hidden, UNRESOLVED_ROUTINE, " + ROWS,
  })
  void functionsAreRegistered(String services, String unnamed, String named) throws Exception {
    ForkedJvm run =
        ForkedJvm.run(
            List.of(
                "@../config/spark-jvm.options",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Fresh.class.getName(),
                services));
    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("extensions unnamed: " + unnamed, "extensions named: " + named)
        .doesNotContain("replaced a previously registered function");
  }

  /** The program of the other JVM, whose first session has no extensions by name. */
  static final class Fresh {
    private Fresh() {}

    public static void main(String[] arguments) throws IOException {
      if (arguments[0].equals("hidden")) {
        Thread thread = Thread.currentThread();
        thread.setContextClassLoader(new WithoutServices(thread.getContextClassLoader()));
      }
      SparkSession.Builder builder =
          SparkSession.builder().master("local[1]").config("spark.ui.enabled", false);
      show("unnamed", builder);
      show("named", builder.config("spark.sql.extensions", NAMES));
    }

    private static void show(String names, SparkSession.Builder builder) throws IOException {
      try (SparkSession spark = builder.getOrCreate()) {
        System.out.printf("extensions %s: %s%n", names, rows(spark));
      }
    }

    private static String rows(SparkSession spark) {
      try {
        return spark.sql(QUERY).first().mkString(" ");
      } catch (Exception refused) {
        return refused instanceof AnalysisException analysis
            ? analysis.getCondition()
            : refused.toString();
      }
    }
  }

  /** A class loader that hides service files. */
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
}
