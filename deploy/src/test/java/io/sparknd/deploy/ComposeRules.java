/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import io.sparknd.deploy.ComposeFile.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for a Compose file beyond its schema; each returns the services that violate it. */
final class ComposeRules {
  private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:v?[0-9]+\\.[0-9]+.*");
  private static final Pattern SECRET = Pattern.compile(".*(SECRET|PASSWORD|TOKEN|PRIVATE).*");
  private static final Pattern ASKED_FOR = Pattern.compile("\\$\\{[A-Z0-9_]+:\\?.+}");

  private static final Pattern CORES = Pattern.compile("spark\\.cores\\.max=(\\d+)");
  private static final Pattern WORKER_SIZE = Pattern.compile("--cores (\\d+) --memory (\\d+)g");
  private static final String PROXY = "spark.ui.reverseProxy=true";
  private static final int MIN_SECONDS = 300;

  private ComposeRules() {}

  /** Every service except {@code jobs} has a health check, and jobs have none. */
  static List<String> withoutHealthCheck(ComposeFile file, Set<String> jobs) {
    return broken(file, (name, each) -> each.healthTest() == null != jobs.contains(name));
  }

  /** Every image has a version tag. */
  static List<String> withoutVersion(ComposeFile file) {
    return broken(file, (name, each) -> !PINNED.matcher(each.image()).matches());
  }

  /** Secrets are variables without default; without a value, Compose fails. */
  static List<String> withSecret(ComposeFile file) {
    return broken(
        file,
        (name, each) ->
            each.environment().entrySet().stream()
                .anyMatch(
                    entry ->
                        SECRET.matcher(entry.getKey()).matches()
                            && !ASKED_FOR.matcher(entry.getValue().toString()).matches()));
  }

  /** A dependency exists in every profile, has a health check, and must be healthy. */
  static List<String> withoutDependency(ComposeFile file) {
    Map<String, Service> all = file.services();
    return broken(
        file,
        (name, each) ->
            each.dependencies().entrySet().stream()
                .anyMatch(
                    wanted ->
                        !"service_healthy".equals(wanted.getValue())
                            || !all.containsKey(wanted.getKey())
                            || !all.get(wanted.getKey()).profiles().isEmpty()
                            || all.get(wanted.getKey()).healthTest() == null));
  }

  /** Volumes are declared; host folders are mounted read-only and never created. */
  static List<String> withOtherVolumes(ComposeFile file, Set<String> folders) {
    return broken(
        file,
        (name, each) ->
            each.volumes().stream()
                .anyMatch(
                    volume ->
                        volume instanceof String named
                            ? !file.volumes().contains(named.replaceAll(":.*", ""))
                            : !isFolder(ComposeFile.map(volume), folders)));
  }

  private static boolean isFolder(Map<String, Object> volume, Set<String> folders) {
    return "bind".equals(volume.get("type"))
        && folders.contains(volume.get("source"))
        && Boolean.TRUE.equals(volume.get("read_only"))
        && Boolean.FALSE.equals(ComposeFile.map(volume.get("bind")).get("create_host_path"));
  }

  /** Ports are published only on the loopback interface. */
  static List<String> withOpenPort(ComposeFile file) {
    return broken(
        file,
        (name, each) -> each.ports().stream().anyMatch(port -> !port.startsWith("127.0.0.1:")));
  }

  /** The workers without a profile have cores and memory for two jobs. */
  static List<String> withOneJobOnly(ComposeFile file) {
    List<String> workers = commands(file, WORKER_SIZE);
    long cores = workers.stream().mapToLong(each -> part(each, 1)).sum();
    long gigabytes = workers.stream().mapToLong(each -> part(each, 2)).sum();
    return broken(
        file,
        (name, each) -> {
          List<String> requested = matches(each.entrypoint(), CORES);
          boolean isJob = !each.entrypoint().isEmpty();
          return isJob
              && (requested.isEmpty()
                  || 2 * Long.parseLong(requested.get(0)) > cores
                  || 2 * Long.parseLong(requested.get(0)) > gigabytes);
        });
  }

  private static List<String> commands(ComposeFile file, Pattern pattern) {
    return file.services().values().stream()
        .filter(each -> each.profiles().isEmpty() && each.command().contains("worker.Worker"))
        .map(Service::command)
        .filter(command -> pattern.matcher(command).find())
        .toList();
  }

  private static long part(String command, int group) {
    return WORKER_SIZE.matcher(command).results().findFirst().stream()
        .mapToLong(found -> Long.parseLong(found.group(group)))
        .sum();
  }

  private static List<String> matches(List<String> options, Pattern pattern) {
    return options.stream()
        .flatMap(each -> pattern.matcher(each).results().map(found -> found.group(1)))
        .toList();
  }

  /** The start period allows for slow starts on a loaded machine. */
  static List<String> withoutPatience(ComposeFile file) {
    return broken(
        file, (name, each) -> each.healthTest() != null && each.startSeconds() < MIN_SECONDS);
  }

  /** Masters, workers and jobs enable the reverse proxy for their pages. */
  static List<String> withDeadLinks(ComposeFile file) {
    return broken(
        file,
        (name, each) ->
            each.command().contains("spark.deploy.master") && isDead(each)
                || each.command().contains("spark.deploy.worker") && isDead(each)
                || !each.entrypoint().isEmpty() && !each.entrypoint().contains("--conf=" + PROXY));
  }

  private static boolean isDead(Service daemon) {
    return !("-D" + PROXY).equals(daemon.environment().get("SPARK_DAEMON_JAVA_OPTS"));
  }

  private interface Rule {
    boolean isBroken(String name, Service service);
  }

  private static List<String> broken(ComposeFile file, Rule rule) {
    List<String> names = new ArrayList<>();
    file.services()
        .forEach(
            (name, service) -> {
              if (rule.isBroken(name, service)) {
                names.add(name);
              }
            });
    return names;
  }
}
