/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Prints plain text in sections, with aligned columns. */
final class TextReport {
  private static final String INDENT = "  ";

  private final PrintWriter out;

  TextReport(PrintWriter out) {
    this.out = out;
  }

  void heading(String text) {
    out.println();
    out.println(text);
    out.flush();
  }

  void line(String text) {
    out.println(INDENT + text);
    out.flush();
  }

  /** Prints rows with the same number of cells. Cells that begin with a digit are right-aligned. */
  void table(List<List<String>> rows) {
    int columns = rows.isEmpty() ? 0 : rows.get(0).size();
    int[] widths =
        IntStream.range(0, columns)
            .map(c -> rows.stream().mapToInt(row -> row.get(c).length()).max().orElse(0))
            .toArray();
    for (List<String> row : rows) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        text.append(c == 0 ? "" : INDENT).append(aligned(row.get(c), widths[c]));
      }
      line(text.toString().stripTrailing());
    }
  }

  private static String aligned(String cell, int width) {
    String padding = " ".repeat(width - cell.length());
    return !cell.isEmpty() && Character.isDigit(cell.charAt(0)) ? padding + cell : cell + padding;
  }

  /** Formats a number with commas between thousands. */
  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Formats a percentage, such as {@code 71.3 %}. */
  static String share(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }
}
