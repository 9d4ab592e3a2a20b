/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the bars of a chart say. Threads and processors are named where the chart has several.
 *
 * @param processors those of the chart
 * @param threads the thread counts of the chart
 */
record BarNotes(List<String> processors, List<Integer> threads) {
  static BarNotes of(List<Line> lines) {
    return new BarNotes(
        lines.stream().map(Line::processor).distinct().sorted().toList(),
        lines.stream().map(Line::threads).distinct().sorted().toList());
  }

  /** The place of the line's processor among those of the chart. */
  int processor(Line line) {
    return processors.indexOf(line.processor());
  }

  String of(Line line) {
    List<String> parts = new ArrayList<>();
    if (threads.size() > 1) {
      parts.add(line.threads() == 1 ? "1 thread" : line.threads() + " threads");
    }
    if (processors.size() > 1) {
      parts.add(line.processor());
    }
    parts.add(
        String.format(
            Locale.ROOT, "%.2f (goal %.2f), peer: %s", line.ratio(), line.goal(), line.peerName()));
    return String.join(", ", parts);
  }
}
