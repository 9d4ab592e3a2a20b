/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** docs/feature-store.md. */
final class Document {
  private static final Path FILE = Path.of("..", "docs", "feature-store.md");

  private Document() {}

  static String text() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands in its blocks of a language. */
  static List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text())
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
