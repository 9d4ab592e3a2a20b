/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What stands between two fences of a page.
 *
 * @param language such as {@code java}; empty where the fence names none
 * @param line of its first fence, from 1
 * @param lines between the fences
 * @param printed what the next block shows, where that is one of {@code text} with no prose between
 */
public record Block(String language, int line, List<String> lines, Optional<String> printed) {
  private static final Pattern ANYTHING = Pattern.compile("\\.\\.\\.");
  private static final Pattern NAME = Pattern.compile("(?://|--|<!--|#) ([\\w-]+\\.\\w+)(?: -->)?");

  public Block {
    lines = List.copyOf(lines);
  }

  public String text() {
    return String.join("\n", lines);
  }

  /** The file that it is, where its first line is a comment with nothing but a name. */
  public Optional<String> fileName() {
    return lines.stream()
        .findFirst()
        .map(NAME::matcher)
        .filter(name -> name.matches())
        .map(name -> name.group(1));
  }

  /**
   * Whether {@code output} is what the page shows: nothing where it shows nothing. Three dots in
   * the page stand for anything, spaces at the ends of lines do not count.
   */
  public boolean shows(String output) {
    StringBuilder expected = new StringBuilder();
    for (String part : ANYTHING.split(trimmed(printed.orElse("")), -1)) {
      expected.append(expected.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(expected.toString(), Pattern.DOTALL).matcher(trimmed(output)).matches();
  }

  /** Without empty lines at both ends, and spaces at the ends of lines. */
  private static String trimmed(String text) {
    return text.replaceAll("[ \t\r]+\n", "\n").replaceAll("\\A\n+", "").stripTrailing();
  }
}
