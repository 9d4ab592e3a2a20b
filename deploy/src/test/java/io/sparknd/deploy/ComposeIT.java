/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.deploy.ComposeFile.Service;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.table.RestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the job of {@code docker-compose.yml} with the built jars. Spark's {@code local-cluster},
 * Iceberg's REST handlers and an in-memory object store replace the other services.
 */
class ComposeIT {
  private static final Path JARS = Path.of("target", "jars").toAbsolutePath();
  private static final Pattern JAR = Pattern.compile("/opt/sparknd/([^,]+\\.jar)");
  private static final Service JOB = ComposeFile.ours().service("job");
  private static final Service CATALOG = ComposeFile.ours().service("catalog");

  @BeforeAll
  static void makeSparkHome() throws Exception {
    SparkHome.make();
  }

  @Test
  void theJarsThatItNamesAreInTheFolder() {
    List<String> jars =
        JOB.entrypoint().stream()
            .flatMap(each -> JAR.matcher(each).results().map(found -> found.group(1)))
            .toList();
    assertThat(jars).hasSize(5);
    assertThat(jars).allSatisfy(jar -> assertThat(JARS.resolve(jar)).isNotEmptyFile());
  }

  /** The container user differs from the user of the build. */
  @ParameterizedTest
  @ValueSource(strings = {"jars", "cases"})
  void mountedFilesAreNeverHiddenFromTheUserOfTheImage(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("target", folder))) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file -> assertThat(Files.getPosixFilePermissions(file)).contains(OTHERS_READ));
    }
  }

  @Test
  @Tag("slow")
  void theFeatureStoreIsInTheCatalogOnObjects(@TempDir Path work) throws Exception {
    Files.createDirectory(work.resolve("events"));
    String shop = work.resolve("shop").toString();
    try (ObjectServer storage = ObjectServer.start(environment().get("AWS_ACCESS_KEY_ID"));
        RestServer catalog = RestServer.start(catalogSettings(storage, work))) {
      Run run = new Run(storage, catalog, work);
      assertThat(
              run.command("example", "feature-store", "--dir", shop, "--days=4", "--events=2000"))
          .contains("identical to the result of plain SQL")
          .doesNotContain("DIFFERENT")
          .contains("sql -e \"SELECT user, views, spent, city FROM lake.shop.users");
      assertThat(
              run.command("sql", "--format", "csv", "-e", "SELECT count(*) FROM lake.shop.users"))
          .containsPattern("(?m)^[1-9]\\d*$");
      assertThat(storage.names())
          .anyMatch(name -> name.matches("/lake/tables/shop/users/data/.*\\.parquet"))
          .anyMatch(name -> name.matches("/lake/tables/shop/users/metadata/.*\\.metadata\\.json"));
    }
    assertThat(work.resolve("shop")).isDirectoryNotContaining("glob:**lake");
    assertThat(work.resolve("events")).isNotEmptyDirectory();
  }

  /** Returns the variables of the job with placeholders replaced. */
  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    JOB.environment()
        .forEach(
            (key, value) -> environment.put(key, value.toString().replaceAll("\\$\\{.*}", "s")));
    return environment;
  }

  /** Returns the catalog's settings, with local endpoints. */
  private static Map<String, String> catalogSettings(ObjectServer storage, Path work) {
    Map<String, String> settings = CatalogServer.settings(CATALOG.environment());
    settings.put("uri", "jdbc:sqlite:" + work.resolve("catalog.db"));
    settings.put("s3.endpoint", storage.address());
    settings.put("s3.access-key-id", environment().get("AWS_ACCESS_KEY_ID"));
    settings.put("s3.secret-access-key", environment().get("AWS_SECRET_ACCESS_KEY"));
    settings.put("client.region", environment().get("AWS_REGION"));
    return settings;
  }

  /** The job's command, adapted to the local services. */
  private record Run(ObjectServer storage, RestServer catalog, Path work) {
    String command(String... arguments) throws Exception {
      List<String> command = new ArrayList<>(List.of("-Xmx1g", "-cp", SparkHome.classPath()));
      command.add("org.apache.spark.deploy.SparkSubmit");
      command.addAll(List.of("--conf", "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1"));
      JOB.entrypoint().stream().skip(1).map(this::here).forEach(command::add);
      command.addAll(List.of(arguments));
      ForkedJvm run = ForkedJvm.runForSpark(environment(), command);
      assertThat(run.exit()).as(run.output()).isZero();
      return run.output();
    }

    private String here(String option) {
      return option
          .replace("spark://master:7077", "local-cluster[2,1,1024]")
          // Jetty waits 30 s for the threads of the proxy when a local cluster stops
          .replace("spark.ui.reverseProxy=true", "spark.ui.reverseProxy=false")
          .replace("http://catalog:8181", catalog.address())
          .replace("http://storage:8333", storage.address())
          .replace("/opt/sparknd", JARS.toString())
          .replace("/opt/spark/work-dir", work.toString());
    }
  }
}
