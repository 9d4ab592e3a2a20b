/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The jar without the RAPIDS Accelerator on the class path. */
class WithoutRapidsTest {
  @Test
  void functionsRunAsEver() throws Exception {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("rapids-4-spark"))
            .collect(Collectors.joining(File.pathSeparator));
    ForkedJvm run =
        ForkedJvm.runForSpark(List.of("-Xmx512m", "-cp", classPath, Fresh.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(run.output()).contains("rows [[[1, 10]]]");
  }

  /** The main class of the forked JVM. */
  static final class Fresh {
    private Fresh() {}

    public static void main(String[] arguments) throws Exception {
      try (SparkSession spark =
          SparkSession.builder()
              .master("local[1]")
              .config("spark.ui.enabled", false)
              .getOrCreate()) {
        System.out.println(
            "rows "
                + spark
                    .sql(
                        "SELECT cast(tensor_scatter_nd_update(array(id, id), array(array(1)),"
                            + " array(10L)) AS string) FROM range(1, 2)")
                    .collectAsList());
      }
    }
  }
}
