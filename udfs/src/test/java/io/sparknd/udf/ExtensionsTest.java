/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import io.sparknd.sql.NdExtensions;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that new sessions know the functions through the service file, by name, or through both.
 */
@Tag("slow")
class ExtensionsTest {
  private static final String NAMES =
      NdExtensions.class.getName() + "," + UdfExtensions.class.getName();

  @ParameterizedTest
  @CsvSource({"found, unnamed, 0", "hidden, named, 0", "found, named, 0", "hidden, unnamed, 1"})
  void functionsAreRegistered(String services, String names, int exit) throws Exception {
    ForkedJvm run =
        ForkedJvm.run(
            List.of(
                "@../config/spark-jvm.options",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Fresh.class.getName(),
                services,
                names));
    assertThat(run.exit()).as(run.output()).isEqualTo(exit);
    assertThat(run.output())
        .contains(exit == 0 ? "rows [[1,2.5,[0, 9, 0]]]" : "UNRESOLVED_ROUTINE")
        .doesNotContain("replaced a previously registered function");
  }

  /** The program of the other JVM. */
  static final class Fresh {
    private Fresh() {}

    public static void main(String[] arguments) {
      if (arguments[0].equals("hidden")) {
        Thread thread = Thread.currentThread();
        thread.setContextClassLoader(new WithoutServices(thread.getContextClassLoader()));
      }
      SparkSession.Builder builder =
          SparkSession.builder().master("local[1]").config("spark.ui.enabled", false);
      if (arguments[1].equals("named")) {
        builder.config("spark.sql.extensions", NAMES);
      }
      SparkSession spark = builder.getOrCreate();
      System.out.println(
          "rows "
              + spark
                  .sql(
                      "SELECT *, cast(tensor_scatter_nd_update(array(0, 0, 0), array(array(1)),"
                          + " array(9)) AS string) FROM gather_nd(TABLE(SELECT 1 AS i, 2.5D AS v),"
                          + " TABLE(SELECT 1 AS i), array(4))")
                  .collectAsList());
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
