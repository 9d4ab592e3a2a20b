/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java blocks of the documents are excerpts of the examples. */
class DocumentTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src", "main", "java", "io", "sparknd", "examples"),
          Path.of("..", "djl-examples", "src", "main", "java", "io", "sparknd", "examples"));

  @ParameterizedTest
  @ValueSource(strings = {"docs/how-to/feature-store.md", "docs/how-to/embeddings.md"})
  void everyLineOfJavaIsTheExamples(String document) throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path folder : SOURCES) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          sources.append(withoutSpace(Files.readString(file)));
        }
      }
    }
    assertThat(Page.of(document).blocks("java"))
        .hasSizeGreaterThan(5)
        .allSatisfy(block -> assertThat(sources).contains(withoutSpace(block.text())));
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }
}
