/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param language such as {@code java}; empty if the fence names none
 * @param line the line of the opening fence, from 1
 * @param lines the lines between the fences
 * @param printed the next block, if it is {@code text} and no prose precedes it
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

  /** Returns the file name of the block, if its first line is a comment with only a name. */
  public Optional<String> fileName() {
    return lines.stream()
        .findFirst()
        .map(NAME::matcher)
        .filter(name -> name.matches())
        .map(name -> name.group(1));
  }

  /**
   * Whether {@code output} is what the page shows; empty output if it shows none. Three dots in the
   * page match any text; trailing spaces are ignored.
   */
  public boolean shows(String output) {
    StringBuilder expected = new StringBuilder();
    for (String part : ANYTHING.split(trimmed(printed.orElse("")), -1)) {
      expected.append(expected.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(expected.toString(), Pattern.DOTALL).matcher(trimmed(output)).matches();
  }

  /** Removes empty lines at both ends and trailing spaces. */
  private static String trimmed(String text) {
    return text.replaceAll("[ \t\r]+\n", "\n").replaceAll("\\A\n+", "").stripTrailing();
  }
}
