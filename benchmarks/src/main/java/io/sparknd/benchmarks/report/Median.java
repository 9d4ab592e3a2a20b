/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.Locale;

/**
 * The median time of one peer for one benchmark, as the report shows it.
 *
 * @param work the short name of the benchmark
 * @param threads the threads that the peer may use
 * @param processor the model of the processor
 * @param who the peer, with a remark if its time is not compared
 * @param time the median with its unit
 */
record Median(String work, int threads, String processor, String who, String time) {
  static Median of(WorkComparison comparison, PeerResult result) {
    return new Median(
        comparison.shortName(),
        comparison.threads(),
        Machine.processor(),
        result.label(),
        time(result.samples().median(), comparison.unit()));
  }

  /** Formats a time with its unit, with one or two decimals. */
  static String time(double value, String unit) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f %s" : "%.1f %s", value, unit);
  }

  /** The median without its unit. */
  double value() {
    return Double.parseDouble(time.split(" ")[0]);
  }

  /** Whether the peer's result was right. */
  boolean isRight() {
    return !who.endsWith(PeerResult.WRONG_ANSWER);
  }

  String row() {
    return String.format(
        Locale.ROOT, "| %s | %d | %s | %s | %s |%n", work, threads, processor, who, time);
  }

  /** Parses a row written by {@link #row}. */
  static Median parse(String row) {
    String[] cells = row.split("\\|");
    return new Median(
        cells[1].trim(),
        Integer.parseInt(cells[2].trim()),
        cells[3].trim(),
        cells[4].trim(),
        cells[5].trim());
  }
}
