/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.JavaSources;
import io.sparknd.docs.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that properties have jqwik's tags: with JUnit's, jqwik skips them without a failure. */
class PropertyTagsTest {
  private static final Pattern TAGGED =
      Pattern.compile("@Tag\\(\"\\w+\"\\)\\s+@Property|@Property(\\([^)]*\\))?\\s+@Tag\\(");

  @Test
  void propertiesHaveTagsOfJqwik() {
    assertThat(JavaSources.below("")).filteredOn(PropertyTagsTest::isWrong).isEmpty();
  }

  private static boolean isWrong(Path file) {
    try {
      String source = Files.readString(Page.ROOT.resolve(file));
      return source.contains("import org.junit.jupiter.api.Tag;") && TAGGED.matcher(source).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
