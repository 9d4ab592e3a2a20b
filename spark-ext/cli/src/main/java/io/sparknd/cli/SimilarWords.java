/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the known words that a mistyped one may stand for. */
final class SimilarWords {
  /**
   * Letters for each permitted difference: one in a word of three, two in a word of four to six.
   */
  private static final int LETTERS = 3;

  private static final int MOST = 3;

  private SimilarWords() {}

  /**
   * Returns at most three of {@code known}, the most similar first: those that begin with {@code
   * word}, and those that differ from it in at most a third of its letters, rounded up, each
   * inserted, left out or replaced.
   */
  static List<String> of(String word, Collection<String> known) {
    String letters = letters(word);
    int limit = (letters.length() + LETTERS - 1) / LETTERS;
    LevenshteinDistance distance = new LevenshteinDistance(limit);
    record Candidate(String word, int distance) {}
    Stream<Candidate> close =
        known.stream()
            .map(each -> new Candidate(each, distance.apply(letters, letters(each))))
            .filter(each -> each.distance() >= 0);
    Stream<Candidate> longer =
        known.stream()
            .filter(each -> letters.length() > 1 && letters(each).startsWith(letters))
            .map(each -> new Candidate(each, limit));
    return Stream.concat(close, longer)
        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::word))
        .map(Candidate::word)
        .distinct()
        .limit(MOST)
        .toList();
  }

  /** Returns the word without the dashes of an option and the value behind {@code =}. */
  private static String letters(String word) {
    return word.replaceFirst("^-+", "").replaceFirst("=.*", "");
  }
}
