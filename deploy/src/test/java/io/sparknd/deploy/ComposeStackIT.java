/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docker-compose.yml} in containers with all its services; profile {@code compose}. Images
 * that the engine does not have are replaced by stand-ins, which are named on standard output and
 * removed at the end. The Compose project is the test's own: that of a user is left as it is.
 */
@Tag("compose")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ComposeStackIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String COUNT = "SELECT count(*) FROM lake.shop.users";
  private static final Pattern WORKER = Pattern.compile("/proxy/worker-[^/\"']+");
  private static final String SECRET = UUID.randomUUID().toString();

  /** Precedes the name in the file, and keeps containers and volumes of a user apart. */
  private static final String PROJECT = "sparknd-test-" + SECRET.substring(0, 8);

  private static final List<String> STAND_INS = new ArrayList<>();
  private static boolean started;

  @TempDir private static Path logs;

  @BeforeAll
  static void startServices() throws Exception {
    requireFreePorts();
    makeImages();
    started = true;
    compose("up", "--detach", "--wait", "--wait-timeout", "600");
  }

  @AfterAll
  static void removeServices() throws Exception {
    if (started) {
      compose("--profile", "job", "down", "--volumes", "--timeout", "5");
    }
    if (!STAND_INS.isEmpty()) {
      List<String> command = new ArrayList<>(List.of("docker", "image", "rm"));
      command.addAll(STAND_INS);
      run(command.toArray(String[]::new));
    }
  }

  private static void requireFreePorts() {
    assertThat(PublishedPorts.taken(ComposeFile.ours()))
        .as("ports of docker-compose.yml that are taken; stop what listens there")
        .isEmpty();
  }

  private static void makeImages() throws Exception {
    ComposeFile file = ComposeFile.ours();
    List<String> images =
        List.of("master", "storage", "catalog").stream()
            .map(service -> file.service(service).image())
            .toList();
    // an image that is there keeps its name
    List<String> wanted = new ArrayList<>();
    for (String image : images) {
      wanted.add(run("docker", "image", "inspect", image).exit() == 0 ? "" : image);
    }
    List<String> missing = wanted.stream().filter(image -> !image.isEmpty()).toList();
    if (!missing.isEmpty()) {
      System.out.println("stand-ins for " + missing);
      STAND_INS.addAll(missing);
      STAND_INS.addAll(List.of("sparknd-stand-in", "sparknd-stand-in-debian"));
      List<String> command = new ArrayList<>(List.of("bash", "src/test/bash/stand-in-images.sh"));
      command.addAll(wanted);
      Ended made = run(command.toArray(String[]::new));
      assertThat(made.exit()).as(made.output()).isZero();
    }
  }

  @Test
  @Order(1)
  void demoGivesTheLocalKernelsBits() throws Exception {
    assertThat(job("demo")).contains("identical").doesNotContain("DIFFERENT");
  }

  @Test
  @Order(1)
  void casesHaveTheirResults() throws Exception {
    assertThat(job("check", "/opt/spark/cases")).containsPattern("\\b0 (cases )?failed|all .*pass");
  }

  @Test
  @Order(2)
  void aFailedExampleNeverBlocksTheNextRun() throws Exception {
    // the catalog rejects the name, because another table has it
    job("sql", "-e", "CREATE NAMESPACE IF NOT EXISTS lake.shop");
    job("sql", "-e", "CREATE TABLE lake.shop.users (a INT) USING iceberg");
    assertThat(composeRun("example", "feature-store", "--days=4", "--events=2000").exit())
        .isNotZero();
    job("sql", "-e", "DROP TABLE lake.shop.users");
    assertThat(job("example", "feature-store", "--days=4", "--events=2000"))
        .contains("identical to the result of plain SQL")
        .doesNotContain("DIFFERENT");
  }

  @Test
  @Order(3)
  void tablesAreNeverLostInARestart() throws Exception {
    String before = count();
    compose("down", "--timeout", "5");
    compose("up", "--detach", "--wait", "--wait-timeout", "600");
    assertThat(count()).isEqualTo(before);
  }

  @Test
  @Order(4)
  void linksOfTheMastersPageLeadToItsWorkers() throws Exception {
    Matcher link = WORKER.matcher(get("http://127.0.0.1:8080/").body());
    assertThat(link.find()).isTrue();
    HttpResponse<String> page = get("http://127.0.0.1:8080" + link.group() + "/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("Spark Worker");
  }

  @Test
  @Order(5)
  void aJobThatWaitsForCoresNeverWaitsInSilence() throws Exception {
    String sleep = "SELECT reflect('java.lang.Thread', 'sleep', bigint(600000 + 0 * rand()))";
    List<String> names = List.of(PROJECT + "-first", PROJECT + "-second");
    for (String name : names) {
      start(name, jobCommand(List.of("--name", name), "sql", "-e", sleep));
    }
    awaitApplications(2);
    Process waiting =
        start("waiting", jobCommand(List.of(), "sql", "-e", "SELECT sum(id) FROM range(10)"));
    awaitOutput("waiting", "has not accepted any resources");
    for (String name : names) {
      run("docker", "rm", "--force", name);
    }
    assertThat(waiting.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(output("waiting")).contains("45");
    assertThat(waiting.exitValue()).isZero();
  }

  private static void awaitApplications(int running) throws Exception {
    Pattern cores = Pattern.compile("\"coresused\"\\s*:\\s*(\\d+)");
    for (int i = 0; i < 300; i++) {
      Matcher used = cores.matcher(get("http://127.0.0.1:8080/json/").body());
      if (used.results().mapToInt(each -> Integer.parseInt(each.group(1))).max().orElse(0)
          >= 2 * running) {
        return;
      }
      Thread.sleep(500);
    }
    throw new AssertionError("fewer than " + running + " jobs with two cores each are running");
  }

  private static void awaitOutput(String log, String text) throws Exception {
    for (int i = 0; i < 600; i++) {
      if (output(log).contains(text)) {
        return;
      }
      Thread.sleep(500);
    }
    throw new AssertionError("no '" + text + "' in: " + output(log));
  }

  private static String count() throws Exception {
    Matcher rows =
        Pattern.compile("(?m)^[1-9]\\d*$").matcher(job("sql", "--format", "csv", "-e", COUNT));
    assertThat(rows.find()).isTrue();
    return rows.group();
  }

  private static HttpResponse<String> get(String address) throws Exception {
    return HttpClient.newBuilder()
        .followRedirects(HttpClient.Redirect.NORMAL)
        .build()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
  }

  /** Runs a job and returns its output of both streams. */
  private static String job(String... arguments) throws Exception {
    Ended job = composeRun(arguments);
    assertThat(job.exit()).as(job.output()).isZero();
    return job.output();
  }

  private static Ended composeRun(String... arguments) throws Exception {
    return run(jobCommand(List.of(), arguments));
  }

  private static String[] jobCommand(List<String> options, String... arguments) {
    List<String> command = new ArrayList<>(List.of("docker", "compose", "run", "--rm", "--no-TTY"));
    command.addAll(options);
    command.add("job");
    command.addAll(List.of(arguments));
    return command.toArray(String[]::new);
  }

  private static void compose(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("docker", "compose"));
    command.addAll(List.of(arguments));
    Ended ended = run(command.toArray(String[]::new));
    assertThat(ended.exit()).as(ended.output()).isZero();
  }

  private record Ended(int exit, String output) {}

  private static Ended run(String... command) throws Exception {
    Process process = start("run", command);
    assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
    return new Ended(process.exitValue(), output("run"));
  }

  private static String output(String log) throws IOException {
    return Files.readString(logs.resolve(log), UTF_8);
  }

  private static Process start(String log, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(logs.resolve(log).toFile());
    if (command[0].equals("docker")) {
      builder.directory(ROOT.toFile());
    }
    builder.environment().put("SPARKND_S3_SECRET", SECRET);
    builder.environment().put("COMPOSE_PROJECT_NAME", PROJECT);
    return builder.start();
  }
}
