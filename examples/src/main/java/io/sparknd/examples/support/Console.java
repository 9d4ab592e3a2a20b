/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Lines that say what happens, and tables, on standard output. */
public final class Console {
  private Console() {}

  /**
   * Prints a line.
   *
   * @param what it is about: a word or two
   * @param format as {@link String#format} has it
   */
  public static void say(String what, String format, Object... values) {
    System.out.printf("%-13s %s%n", what, String.format(Locale.ROOT, format, values));
  }

  /** Prints rows of equally many cells, the first of them the headings. */
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
