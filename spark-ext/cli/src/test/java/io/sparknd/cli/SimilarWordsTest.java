/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which words are offered for a mistyped one. */
class SimilarWordsTest {
  private static final List<String> OPTIONS =
      List.of("-e", "--format", "--rows", "--partitions", "--master", "--bad-indices", "--indices");

  @ParameterizedTest
  @CsvSource({
    "--fromat, --format",
    "--fromat=json, --format",
    "-format, --format",
    "--part, --partitions",
    "--row, --rows",
    "--indces, --indices",
    "--bad-indexes, --bad-indices",
  })
  void aTypingErrorIsFound(String word, String meant) {
    assertThat(SimilarWords.of(word, OPTIONS)).first().isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource({"--frobnicate", "--x", "-", "--"})
  void otherWordsAreNot(String word) {
    assertThat(SimilarWords.of(word, List.of("--format", "--rows"))).isEmpty();
  }

  @Test
  void theMostSimilarComesFirstAndThreeAreEnough() {
    assertThat(SimilarWords.of("abcd", List.of("abxy", "abcx", "abcde", "abc", "abcdefgh")))
        .containsExactly("abc", "abcde", "abcx");
  }
}
