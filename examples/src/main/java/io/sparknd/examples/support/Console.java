/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Prints progress lines and tables to standard output. */
public final class Console {
  private Console() {}

  /**
   * Prints a line.
   *
   * @param what the topic, one or two words
   * @param format see {@link String#format}
   */
  public static void say(String what, String format, Object... values) {
    System.out.printf("%-13s %s%n", what, String.format(Locale.ROOT, format, values));
  }

  /** Prints rows with equal numbers of cells; the first row is the header. */
  public static void table(List<List<String>> rows) {
    int[] widths =
        IntStream.range(0, rows.get(0).size())
            .map(c -> rows.stream().mapToInt(row -> row.get(c).length()).max().orElse(0))
            .toArray();
    System.out.println();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        String pad = " ".repeat(widths[c] - row.get(c).length());
        line.append(c == 0 ? row.get(c) + pad : "   " + pad + row.get(c));
      }
      System.out.println(line.toString().stripTrailing());
    }
    System.out.println();
  }
}
