/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Versions in the text are those of the POM. After a change of the POM, {@code
 * -Dsparknd.docs.write=true} rewrites those that have one value.
 */
class VersionsTest {
  private static final List<VersionRule> RULES = VersionRule.of(PomVersions.read());

  @BeforeAll
  static void write() throws IOException {
    if (Boolean.getBoolean("sparknd.docs.write")) {
      for (VersionRule rule : RULES) {
        MarkdownFiles.rewrite(rule::rewritten);
      }
    }
  }

  static List<Path> pages() {
    return MarkdownFiles.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void versionsAreThoseOfThePom(Path page) {
    String text = MarkdownFiles.text(page);
    assertThat(RULES).flatExtracting(rule -> rule.violations(text)).isEmpty();
  }

  @Test
  void everyRuleHasAPlace() {
    String all = String.join("\n", pages().stream().map(MarkdownFiles::text).toList());
    assertThat(RULES).allSatisfy(rule -> assertThat(rule.place().matcher(all).find()).isTrue());
  }

  @Test
  void otherVersionsAreFound() {
    String old =
        "Spark 3.5.1 and Spark 3.4, A JDK 8, io.sparknd:sparknd-udfs-3.5_2.12:0.0.1, Iceberg 1.0.0,"
            + " sparknd-udfs-3.5_2.12-0.0.1.jar";
    assertThat(RULES).flatExtracting(rule -> rule.violations(old)).hasSize(10);
    String corrected = old;
    for (VersionRule rule : RULES) {
      corrected = rule.rewritten(corrected);
    }
    String text = corrected;
    assertThat(RULES).flatExtracting(rule -> rule.violations(text)).hasSize(2);
  }
}
