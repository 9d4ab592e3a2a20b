/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparknd.docs.Page;
import io.sparknd.kernel.ForkedJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Submits the jars with {@code spark-submit}. Driver and executors are separate JVMs with only
 * Spark's jars on their class paths.
 */
class SubmitTest {
  @BeforeAll
  static void makeSparkHome() throws IOException {
    assumeTrue(engine().endsWith(".jar"), "mvn test builds no jars; use mvn verify");
    SparkHome.make();
  }

  private static String engine() throws IOException {
    return deployed(SubmitTest::isEngine).get(0);
  }

  /** Whether it is of the module {@code dist}, in the reactor or in Maven's local repository. */
  private static boolean isEngine(String jar) {
    return jar.contains("/spark-ext/dist/") || jar.contains("/sparknd-spark-runtime-");
  }

  private static List<String> deployed(Predicate<String> which) throws IOException {
    return SparkHome.written("deployed.txt").stream().filter(which).toList();
  }

  private static String submitted(String... command) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-Xmx1g", "-cp", SparkHome.classPath()));
    arguments.add("org.apache.spark.deploy.SparkSubmit");
    arguments.addAll(List.of("--master", "local-cluster[2,1,1024]"));
    arguments.addAll(List.of("--conf", "spark.executor.memory=1g"));
    arguments.addAll(List.of("--conf", "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1"));
    arguments.addAll(List.of("--jars", String.join(",", deployed(jar -> !isEngine(jar)))));
    arguments.addAll(List.of("--class", "io.sparknd.cli.Main", engine()));
    arguments.addAll(List.of(command));
    ForkedJvm run = ForkedJvm.runForSpark(arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  @Test
  @Tag("slow")
  void allCasesPass() throws Exception {
    String cases = Page.ROOT.resolve("spark-ext/core/src/test/resources/cases").toString();
    assertThat(submitted("check", cases, "--engine", "cluster", "--partitions", "3"))
        .contains(" 0 failed", " 0 skipped");
  }

  @Tag("slow")
  @Test
  void sqlHasTheFunctionsAndTables(@TempDir Path directory) throws Exception {
    String statements =
        """
        CREATE NAMESPACE IF NOT EXISTS lake.shop;
        CALL nd.system.create_tensor(table => 'lake.shop.views', shape => array(10, 2), dtype => 'float32');
        CALL nd.system.scatter_nd(table => 'lake.shop.views', reduction => 'add',
          updates => 'SELECT id % 10 AS i0, array(float(id), 0.5F) AS value FROM range(40)');
        SELECT i0, tensor_scatter_nd_add(value, array(array(1)), array(1F)) AS v
        FROM gather_nd(TABLE(lake.shop.views), TABLE(SELECT 7 AS i0))
        """;
    assertThat(
            submitted(
                "sql",
                "--lake",
                directory.resolve("lake").toString(),
                "--format",
                "csv",
                "-e",
                statements))
        .contains("7,\"[88.0, 3.0]\"");
  }
}
