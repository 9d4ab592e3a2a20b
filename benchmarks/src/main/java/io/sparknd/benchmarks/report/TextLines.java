/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Wraps text, because SVG does not. */
final class TextLines {
  private TextLines() {}

  /** Returns lines of at most {@code characters}, but for longer words, which stay whole. */
  static List<String> of(String text, int characters) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > characters) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
