/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import io.sparknd.sql.NdExtensions;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that new sessions know the functions through the service file, by name, or through both.
 */
@Tag("slow")
class ExtensionsTest {
  private static final String QUERY =
      "SELECT *, cast(tensor_scatter_nd_update(array(0, 0, 0), array(array(1)),"
          + " array(9)) AS string) FROM gather_nd(TABLE(SELECT 1 AS i, 2.5D AS v),"
          + " TABLE(SELECT 1 AS i), array(4))";

  private static final String NAMES =
      NdExtensions.class.getName() + "," + UdfExtensions.class.getName();

  /** All in one JVM, because each starts slowly; it has no session of other tests. */
  @Test
  void functionsAreRegistered() throws Exception {
    ForkedJvm run =
        ForkedJvm.run(
            List.of(
                "@../config/spark-jvm.options",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Fresh.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(run.output().lines().filter(line -> line.startsWith("services ")))
        .containsExactly(
            "services found, extensions unnamed: [[1,2.5,[0, 9, 0]]]",
            "services hidden, extensions named: [[1,2.5,[0, 9, 0]]]",
            "services found, extensions named: [[1,2.5,[0, 9, 0]]]",
            "services hidden, extensions unnamed: UNRESOLVED_ROUTINE");
    assertThat(run.output()).doesNotContain("replaced a previously registered function");
  }

  /** The program of the other JVM. */
  static final class Fresh {
    private Fresh() {}

    public static void main(String[] arguments) {
      ClassLoader found = Thread.currentThread().getContextClassLoader();
      ClassLoader hidden = new WithoutServices(found);
      show("found", found, "unnamed");
      show("hidden", hidden, "named");
      show("found", found, "named");
      show("hidden", hidden, "unnamed");
    }

    private static void show(String services, ClassLoader loader, String names) {
      Thread.currentThread().setContextClassLoader(loader);
      SparkSession.Builder builder =
          SparkSession.builder().master("local[1]").config("spark.ui.enabled", false);
      if (names.equals("named")) {
        builder.config("spark.sql.extensions", NAMES);
      }
      try (SparkSession spark = builder.getOrCreate()) {
        System.out.printf("services %s, extensions %s: %s%n", services, names, rows(spark));
      }
    }

    private static String rows(SparkSession spark) {
      try {
        return spark.sql(QUERY).collectAsList().toString();
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
    public Enumeration<URL> getResources(String name) throws java.io.IOException {
      return name.endsWith("SparkSessionExtensionsProvider")
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}
