/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A comparison of models by metric and cost. */
public final class ModelComparison {
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param metric the name of the metric
   */
  public ModelComparison(String metric) {
    rows.add(List.of("", metric, "time", "results sent to the driver", "heap in use"));
  }

  /** Adds a trained model. */
  public ModelComparison with(String name, double metric, DriverLoad<?> load) {
    rows.add(
        List.of(
            name,
            metric(metric),
            String.format(Locale.ROOT, "%.1f s", load.seconds()),
            megabytes(load.received()),
            megabytes(load.heap())));
    return this;
  }

  /** Adds a reference value without cost. */
  public ModelComparison with(String name, double metric) {
    rows.add(List.of(name, metric(metric), "", "", ""));
    return this;
  }

  /** Prints one line per model. */
  public void print() {
    Console.table(rows);
  }

  private static String metric(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f MB", bytes / 1e6);
  }
}
