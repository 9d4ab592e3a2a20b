/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the documents show is what the examples do. */
class DocumentTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "sparknd", "examples");

  @ParameterizedTest
  @EnumSource
  void everyLineOfJavaIsTheExamples(Document document) throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        sources.append(withoutSpace(Files.readString(file)));
      }
    }
    assertThat(document.blocks("java"))
        .hasSizeGreaterThan(5)
        .allSatisfy(block -> assertThat(sources).contains(withoutSpace(block)));
  }

  @ParameterizedTest
  @EnumSource
  void everyLinkLeadsToAFile(Document document) {
    assertThat(Pattern.compile("\\]\\(([^):]+)\\)").matcher(document.text()).results())
        .isNotEmpty()
        .allSatisfy(link -> assertThat(Path.of("..", "docs").resolve(link.group(1))).exists());
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }
}
