/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The files that a suite leaves in {@code docs/benchmarks}.
 *
 * @param suite name of the suite and of its files
 * @param heading how the run was made, in Markdown
 * @param comparisons in the order of the table
 */
public record Report(String suite, String heading, List<Comparison> comparisons) {
  public Report {
    comparisons = List.copyOf(comparisons);
  }

  /** Writes {@code SUITE.md}, {@code SUITE.svg} and {@code SUITE.json}. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(suite + ".md"), markdown());
    Files.writeString(directory.resolve(suite + ".json"), json());
    RatioChart.write(suite, comparisons, directory.resolve(suite + ".svg"));
  }

  private List<Line> lines() {
    return comparisons.stream().map(Comparison::line).toList();
  }

  private String json() throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(lines())
        + "\n";
  }

  private String markdown() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# Benchmark suite: ").append(suite).append("\n\n");
    text.append(Machine.describe()).append(".\n").append(heading).append("\n\n");
    text.append("![ratios](").append(suite).append(".svg)\n\n");
    text.append("| work | threads | ours | best correct peer | peer | ratio | goal | | spread |\n");
    text.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    lines().forEach(line -> text.append(row(line)));
    text.append(
        "\n## Everyone\n\nMedian of the rounds; a wrong answer is never compared with.\n\n");
    text.append("| work | threads | who | median |\n| --- | --- | --- | --- |\n");
    comparisons.forEach(work -> work.results().forEach(who -> text.append(row(work, who))));
    return text.toString();
  }

  private static String row(Line line) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %s | %s | %.2f | %.2f | %s | %.0f %% |%n",
        line.name(),
        line.threads(),
        time(line.ours(), line.unit()),
        time(line.peer(), line.unit()),
        line.peerName(),
        line.ratio(),
        line.goal(),
        line.met() ? "met" : "not met",
        100 * line.spread());
  }

  private static String row(Comparison work, PeerResult who) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %s |%n",
        work.shortName(),
        work.threads(),
        who.label(),
        time(who.samples().median(), work.unit()));
  }

  private static String time(double value, String unit) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f %s" : "%.1f %s", value, unit);
  }
}
