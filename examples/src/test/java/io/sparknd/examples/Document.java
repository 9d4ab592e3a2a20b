/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page of docs that tells of examples. */
enum Document {
  FEATURE_STORE("feature-store.md"),
  EMBEDDINGS("embeddings.md");

  private static final Path FOLDER = Path.of("..", "docs");

  private final String file;

  Document(String file) {
    this.file = file;
  }

  String text() {
    try {
      return Files.readString(FOLDER.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands in its blocks of a language. */
  List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text())
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
