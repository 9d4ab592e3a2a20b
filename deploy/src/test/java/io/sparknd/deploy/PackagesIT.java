/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code --packages} with a Maven repository of the jars and POMs that would be deployed. Ivy
 * resolves everything without network access.
 */
@Tag("slow")
class PackagesIT {
  @Test
  void sqlHasTheFunctions(@TempDir Path directory) throws Exception {
    SparkHome.make();
    Path repository = directory.resolve("repository");
    MavenRepository.fill(repository);
    Path settings = MavenRepository.ivySettings(directory, MavenRepository.LOCAL);
    List<String> arguments = new ArrayList<>(List.of("-Xmx1g", "-cp", SparkHome.classPath()));
    arguments.add("org.apache.spark.deploy.SparkSubmit");
    arguments.addAll(List.of("--master", "local-cluster[2,1,1024]"));
    arguments.addAll(List.of("--conf", "spark.executor.memory=1g"));
    arguments.addAll(List.of("--conf", "spark.jars.ivySettings=" + settings));
    arguments.addAll(List.of("--conf", "spark.jars.ivy=" + directory.resolve("ivy")));
    arguments.addAll(List.of("--repositories", repository.toUri().toString()));
    String functions = MavenRepository.ofSpark("sparknd-udfs");
    arguments.addAll(
        List.of("--packages", "io.sparknd:" + functions + ":" + MavenRepository.VERSION));
    arguments.addAll(List.of("--class", "io.sparknd.cli.Main", "spark-internal"));
    arguments.addAll(List.of("sql", "--format", "csv", "-e"));
    arguments.add(
        """
        SELECT i, tensor_scatter_nd_add(v, array(array(1)), array(1F)) AS v
        FROM tensor_scatter_nd_add(
          TABLE(SELECT id AS i, array(float(id), 0.5F) AS v FROM range(4)),
          TABLE(SELECT 2L AS i, array(0.25F, 1F) AS v FROM range(100)), shape => array(4, 2))
        WHERE i = 2
        """);

    ForkedJvm run = ForkedJvm.runForSpark(arguments);

    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("2,\"[27.0, 101.5]\"")
        .contains("found io.sparknd#" + MavenRepository.ofSpark("sparknd-spark-runtime") + ";");
  }
}
