/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.JavaSources;
import io.sparknd.docs.Page;
import io.sparknd.docs.TableRow;
import io.sparknd.table.internal.scan.BatchedSplits;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page of metrics has all metrics, and no others. {@code QueryMetricsTest} compares those of
 * table functions, {@code PropertyPagesTest} those of snapshots.
 */
class MetricsPageTest {
  private static final Page PAGE = Page.of("docs/reference/metrics.md");

  private static List<String> listed(String section, String title) {
    return PAGE.section(section).tables(title).get(0).stream().map(TableRow::name).toList();
  }

  /** Returns what the first group of a pattern matches in the sources, by file name. */
  private static Map<String, Set<String>> inSources(String pattern) throws IOException {
    Pattern found = Pattern.compile(pattern);
    Map<String, Set<String>> all = new TreeMap<>();
    for (Path file : JavaSources.mainBelow("spark-ext")) {
      String source = Files.readString(Page.ROOT.resolve(file));
      Set<String> names = new TreeSet<>();
      found.matcher(source).results().forEach(match -> names.add(match.group(1)));
      if (!names.isEmpty()) {
        all.computeIfAbsent(file.getFileName().toString(), name -> new TreeSet<>()).addAll(names);
      }
    }
    return all;
  }

  @Test
  void listsTheMetricsOfTheMetricsSystem() {
    Page section = PAGE.section("Spark's metrics system");
    assertThat(String.join("\n", section.lines())).contains("\n" + SparkNdMetric.table() + "\n\n");
    assertThat(section.tables("metric")).hasSize(1);
  }

  @Test
  void listsTheMetricsOfAScatter() {
    assertThat(listed("One scatter", "metric"))
        .containsExactlyElementsOf(
            Arrays.stream(ScatterMetrics.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
  }

  @Test
  void listsTheMetricsOfScans() throws IOException {
    BatchedSplits metric = new BatchedSplits();
    assertThat(PAGE.section("SQL tab").tables("metric").get(1))
        .extracting(row -> row.name() + ": " + row.cells().get(1))
        .containsExactly(metric.name() + ": " + metric.description());
    assertThat(inSources("(?:extends|implements) (Custom(?:Sum|Avg)?Metric)").keySet())
        .containsExactly("BatchedSplits.java");
  }

  /** Other operators than those of table functions have no metrics of their own. */
  @Test
  void onlyTableFunctionsHaveMetricsOfOperators() throws IOException {
    assertThat(inSources("SQLMetrics\\.create(\\w+)").keySet())
        .containsExactly("QueryMetrics.java");
  }

  @Test
  void listsTheAccumulators() throws IOException {
    Set<String> names = new TreeSet<>();
    inSources("(?:[aA]ccumulator|register)\\((?:\\w+, )?\"(sparknd [a-z ]+)\"")
        .values()
        .forEach(names::addAll);
    assertThat(listed("Accumulators", "accumulator"))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(names);
  }
}
