/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the document shows is what the example does. */
class DocumentTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "sparknd", "examples");

  @Test
  void everyLineOfJavaIsTheExamples() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        sources.append(withoutSpace(Files.readString(file)));
      }
    }
    assertThat(Document.blocks("java"))
        .hasSizeGreaterThan(5)
        .allSatisfy(block -> assertThat(sources).contains(withoutSpace(block)));
  }

  @Test
  void everyLinkLeadsToAFile() {
    assertThat(Pattern.compile("\\]\\(([^):]+)\\)").matcher(Document.text()).results())
        .isNotEmpty()
        .allSatisfy(link -> assertThat(Path.of("..", "docs").resolve(link.group(1))).exists());
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }
}
