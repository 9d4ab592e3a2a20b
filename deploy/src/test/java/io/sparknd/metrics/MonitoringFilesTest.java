/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.docs.Page;
import io.sparknd.metrics.SparkNdMetric.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.metrics.sink.PrometheusServlet;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Alert rules and the dashboard name metrics that exist: those of Spark's Prometheus page, by the
 * names that {@code prometheus.yml} gives them.
 */
class MonitoringFilesTest {
  private static final Path FILES = Path.of("monitoring");
  private static final Pattern METRIC = Pattern.compile("\\bsparknd_\\w+");
  private static final Pattern DURATION = Pattern.compile("\\d+[smhd]");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Set<String> known = known();

  private static JsonNode yaml(String file) throws IOException {
    String text = Files.readString(FILES.resolve(file));
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  private static JsonNode dashboard() throws IOException {
    return JSON.readTree(FILES.resolve("dashboard.json").toFile());
  }

  /** Returns the names of the driver's metrics in Prometheus. */
  private static Set<String> known() {
    try {
      MetricRegistry own = new MetricRegistry();
      MetricRegistration.of(Side.DRIVER, own).close();
      MetricRegistry registry = new MetricRegistry();
      registry.register("shop.driver.plugin." + NdPlugin.class.getName(), own);
      String page = new PrometheusServlet(new Properties(), registry).getMetricsSnapshot();
      JsonNode rules = yaml("prometheus.yml").path("scrape_configs").get(0);
      return page.lines()
          .map(line -> line.replaceFirst("[{ ].*", ""))
          .map(name -> relabeled(name, rules.path("metric_relabel_configs")))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the name that Prometheus gives to a sample. Its patterns match whole values. */
  private static String relabeled(String name, JsonNode rules) {
    String renamed = name;
    for (JsonNode rule : rules) {
      Matcher whole = Pattern.compile(rule.path("regex").asText()).matcher(renamed);
      boolean isName = rule.path("target_label").asText().equals("__name__");
      if (whole.matches() && isName) {
        renamed = whole.replaceFirst(rule.path("replacement").asText());
      }
    }
    return renamed;
  }

  private void requireKnown(String expression) {
    List<String> names = METRIC.matcher(expression).results().map(MatchResult::group).toList();
    assertThat(known).as(expression).containsAll(names);
    assertThat(depth(expression)).as("brackets of %s", expression).isZero();
  }

  private static int depth(String expression) {
    return (int)
        (expression.chars().filter(each -> "([{".indexOf(each) >= 0).count()
            - expression.chars().filter(each -> ")]}".indexOf(each) >= 0).count());
  }

  @Test
  void prometheusNamesAllMetrics() {
    assertThat(known).contains("sparknd_scatters_Count", "sparknd_table_lostRaces_Count");
    assertThat(known).allSatisfy(name -> assertThat(name).startsWith("sparknd_"));
  }

  /** Samples are metrics of the page by the rule that it gives, and all of the driver's occur. */
  @Test
  void thePageOfMetricsNamesThem() {
    Set<String> listed =
        Page.of("docs/reference/metrics.md")
            .section("Spark's metrics system")
            .tables("metric")
            .get(0)
            .stream()
            .filter(row -> row.cells().get(3).equals("driver"))
            .map(row -> "sparknd_" + row.name().replace('.', '_'))
            .collect(Collectors.toSet());
    assertThat(known.stream().map(name -> name.replaceFirst("_[^_]+$", "")))
        .isNotEmpty()
        .hasSameElementsAs(listed);
    assertThat(known).contains("sparknd_scatter_slowestTaskMillis_99thPercentile");
  }

  @Test
  void alertsNameMetricsThatExist() throws IOException {
    Set<String> names = new HashSet<>();
    JsonNode rules = yaml("alerts.yml").path("groups").get(0).path("rules");
    assertThat(rules).hasSizeGreaterThan(5);
    for (JsonNode rule : rules) {
      String name = rule.path("alert").asText();
      assertThat(names.add(name)).as(name).isTrue();
      assertThat(rule.properties().stream().map(each -> each.getKey()))
          .isSubsetOf("alert", "expr", "for", "labels", "annotations");
      requireKnown(rule.path("expr").asText());
      assertThat(rule.path("for").asText("1m")).matches(DURATION);
      assertThat(rule.path("labels").path("severity").asText()).isIn("critical", "warning", "info");
      assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
      assertThat(rule.path("annotations").path("description").asText()).endsWith(".");
    }
  }

  /** A driver that ends each night is no alert. */
  @Test
  void driversOfBatchJobsAreNotMissed() throws IOException {
    JsonNode target =
        yaml("prometheus.yml").path("scrape_configs").get(0).path("static_configs").get(0);
    assertThat(target.path("labels").path("workload").asText()).isEqualTo("batch");
    for (JsonNode rule : yaml("alerts.yml").path("groups").get(0).path("rules")) {
      String expression = rule.path("expr").asText();
      assertThat(!expression.contains("up{") || expression.contains("workload!=\"batch\""))
          .as(expression)
          .isTrue();
    }
  }

  @Test
  void thePageOfAlertsListsThem() throws IOException {
    List<String> names = new ArrayList<>();
    yaml("alerts.yml")
        .path("groups")
        .get(0)
        .path("rules")
        .forEach(rule -> names.add(rule.path("alert").asText()));
    assertThat(Page.of("docs/operate/monitoring-rules.md").section("Alerts").tables("alert").get(0))
        .extracting(row -> row.name())
        .containsExactlyElementsOf(names);
  }

  @Test
  void prometheusReadsTheRules() throws IOException {
    assertThat(yaml("prometheus.yml").path("rule_files").get(0).asText()).isEqualTo("alerts.yml");
  }

  @Test
  void dashboardNamesMetricsThatExist() throws IOException {
    List<String> expressions = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (JsonNode panel : dashboard().path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).isTrue();
      assertThat(places.add(panel.path("gridPos").toString())).isTrue();
      assertThat(panel.path("title").asText()).isNotBlank();
      panel.path("targets").forEach(each -> expressions.add(each.path("expr").asText()));
    }
    assertThat(expressions).hasSizeGreaterThan(15).allSatisfy(this::requireKnown);
    JsonNode variables = dashboard().path("templating").path("list");
    variables.forEach(each -> requireKnown(each.path("query").path("query").asText()));
  }

  /** Each counter of the driver is on the dashboard, but for two that change rarely. */
  @Test
  void dashboardShowsTheDriver() throws IOException {
    String all = dashboard().toString();
    assertThat(known)
        .filteredOn(name -> name.endsWith("_Count") && !name.contains("slowestTask"))
        .filteredOn(name -> !all.contains(name))
        .containsExactlyInAnyOrder(
            "sparknd_training_validations_Count", "sparknd_training_checkpoints_Count");
  }
}
