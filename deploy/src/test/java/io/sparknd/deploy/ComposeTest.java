/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docker-compose.yml} conforms to the Compose schema and to our rules. */
class ComposeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema SCHEMA = schema();
  private static final Set<String> JOBS = Set.of("job");
  private static final Set<String> FOLDERS =
      Set.of("./deploy/target/jars", "./deploy/target/cases");

  private final ComposeFile file = ComposeFile.ours();

  private static Schema schema() {
    URL resource = ComposeTest.class.getResource("compose-spec.json");
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(SchemaLocation.of(resource.toString()), JSON.readTree(resource.openStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Error> errors(ComposeFile file) {
    return SCHEMA.validate(JSON.valueToTree(file.content()));
  }

  /** Returns our file with one text replaced. */
  private static ComposeFile changed(String from, String to) {
    try {
      String text = Files.readString(ComposeFile.PATH);
      assertThat(text).contains(from);
      return ComposeFile.parse(
          text.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void itHasTheFormOfTheSpecification() {
    assertThat(errors(file)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "condition: service_healthy | condition: service_well | condition",
        "command: mini -dir=/data | comand: mini -dir=/data | comand",
        "interval: 5s | interval: 5 | interval",
        "count: 1 | count: [1] | count",
        "read_only: true | read_only: [true] | read_only",
        "capabilities: [gpu, compute, utility] | capabilities: gpu | capabilities",
        "profiles: [gpu] | profiles: gpu | profiles",
        "name: sparknd | nam: sparknd | nam",
      })
  void brokenCopiesAreRefused(String from, String to, String where) {
    assertThat(errors(changed(from, to)))
        .anySatisfy(error -> assertThat(error.toString()).contains(where));
  }

  @Test
  void everyServiceTellsItsHealth() {
    assertThat(ComposeRules.withoutHealthCheck(file, JOBS)).isEmpty();
    check(
        "    healthcheck:\n",
        "    x-healthcheck:\n",
        f -> ComposeRules.withoutHealthCheck(f, JOBS),
        "master");
  }

  @Test
  void everyImageHasItsVersion() {
    assertThat(ComposeRules.withoutVersion(file)).isEmpty();
    check("seaweedfs:4.48", "seaweedfs:latest", ComposeRules::withoutVersion, "storage");
    check("seaweedfs:4.48", "seaweedfs", ComposeRules::withoutVersion, "storage");
  }

  @Test
  void noSecretIsInTheFile() throws IOException {
    assertThat(ComposeRules.withSecret(file)).isEmpty();
    check("CATALOG_URI: jdbc", "CATALOG_JDBC_PASSWORD: jdbc", ComposeRules::withSecret, "catalog");
    check(":?is not set", ":-is not set", ComposeRules::withSecret, "catalog", "job", "storage");
    assertThat(Files.readAllLines(Path.of("..", ".gitignore"))).contains("/.env");
  }

  @Test
  void whatAServiceWaitsForComes() {
    assertThat(ComposeRules.withoutDependency(file)).isEmpty();
    check("  history:\n", "  hystory:\n", ComposeRules::withoutDependency, "job");
    check(
        "  history:\n    <<: *spark\n",
        "  history:\n    <<: *spark\n    profiles: [pages]\n",
        ComposeRules::withoutDependency,
        "job");
  }

  @Test
  void foldersAreThoseOfTheBuildAndOnlyRead() {
    Function<ComposeFile, List<String>> rule = f -> ComposeRules.withOtherVolumes(f, FOLDERS);
    assertThat(rule.apply(file)).isEmpty();
    check("source: ./deploy/target/jars", "source: ./deploy/target", rule, "job");
    check("read_only: true", "read_only: false", rule, "job");
    check("  objects:\n", "  things:\n", rule, "storage");
  }

  @Test
  void onlyThisMachineReachesThePages() {
    assertThat(ComposeRules.withOpenPort(file)).isEmpty();
    check("- 127.0.0.1:8080:8080", "- 8080:8080", ComposeRules::withOpenPort, "master");
  }

  @Test
  void aTakenPortIsFoundBeforeAnythingStarts() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String taken = "127.0.0.1:" + other.getLocalPort() + ":8080";
      ComposeFile file = changed("127.0.0.1:8080:8080", taken);
      assertThat(PublishedPorts.taken(file)).contains(taken);
    }
  }

  /** {@code down --volumes} of the test must not meet the project of a user. */
  @Test
  void theTestOfTheContainersHasAProjectOfItsOwn() throws IOException {
    String test = Files.readString(Path.of("src/test/java/io/sparknd/deploy/ComposeStackIT.java"));
    assertThat(test).contains("put(\"COMPOSE_PROJECT_NAME\", PROJECT)");
    assertThat(file.services().values())
        .allSatisfy(service -> assertThat(service.content()).doesNotContainKey("container_name"));
  }

  @Test
  void aSecondJobDoesNotWaitForTheCoresOfTheFirst() {
    assertThat(ComposeRules.withOneJobOnly(file)).isEmpty();
    check("cores.max=2", "cores.max=3", ComposeRules::withOneJobOnly, "job");
    check("spark.cores.max=2", "spark.cores=2", ComposeRules::withOneJobOnly, "job");
    check("--cores 2 --memory 2g", "--cores 2 --memory 1g", ComposeRules::withOneJobOnly, "job");
  }

  @Test
  void aSlowMachineIsNotTakenForABrokenOne() {
    assertThat(ComposeRules.withoutPatience(file)).isEmpty();
    check("start_period: 300s", "start_period: 20s", ComposeRules::withoutPatience, "master");
  }

  /** The master proxies the pages of workers and drivers, which are not published. */
  @Test
  void linksOfTheMastersPageDoNotLeadNowhere() {
    assertThat(ComposeRules.withDeadLinks(file)).isEmpty();
    check("    environment: *pages\n", "", ComposeRules::withDeadLinks, "master");
    check(
        "- --conf=spark.ui.reverseProxy=true",
        "- --conf=spark.ui.reverseProxy=false",
        ComposeRules::withDeadLinks,
        "job");
  }

  /** In Iceberg's own catalog, INSERT and streams append rows without their reductions. */
  @Test
  void insertsIntoTheCatalogScatter() {
    assertThat(file.service("job").entrypoint())
        .contains(
            "--conf=spark.sql.catalog.lake=io.sparknd.table.TensorCatalog",
            "--conf=spark.sql.catalog.lake.cache-enabled=false");
  }

  /** The image's Spark has the minor version that the jars are built for. */
  @Test
  void sparkIsTheSparkOfTheBuild() {
    String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
    String line = version.substring(0, version.lastIndexOf('.') + 1);
    for (String service :
        List.of("master", "worker-1", "worker-2", "worker-gpu", "history", "job")) {
      assertThat(file.service(service).image())
          .startsWith("apache/spark:" + line)
          .contains("-scala2.13-java17-");
    }
  }

  private static void check(
      String from, String to, Function<ComposeFile, List<String>> rule, String... broken) {
    assertThat(rule.apply(changed(from, to))).contains(broken);
  }
}
