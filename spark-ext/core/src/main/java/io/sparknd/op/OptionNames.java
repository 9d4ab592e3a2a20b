/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The words that an option accepts, with their meanings.
 *
 * @param what the option's name, for messages
 * @param known the words, in the order in which messages list them
 */
record OptionNames<T>(String what, List<Word<T>> known) {

  record Word<T>(String word, T meaning) {}

  static <T> OptionNames<T> of(String what) {
    return new OptionNames<>(what, List.of());
  }

  OptionNames<T> and(String word, T meaning) {
    List<Word<T>> more = new ArrayList<>(known);
    more.add(new Word<>(word, meaning));
    return new OptionNames<>(what, List.copyOf(more));
  }

  /**
   * Returns the meaning of {@code word}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the word is unknown
   */
  T find(String word) {
    for (Word<T> entry : known) {
      if (entry.word().equals(word)) {
        return entry.meaning();
      }
    }
    throw OperatorErrors.unknownWord(what, word, list());
  }

  /**
   * Returns {@code meaning} after checking that a word for it exists.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code operator} has no word for it
   */
  T require(String operator, T meaning) {
    for (Word<T> entry : known) {
      if (entry.meaning().equals(meaning)) {
        return meaning;
      }
    }
    throw OperatorErrors.notOffered(operator, what + " '" + meaning + "'", list());
  }

  private String list() {
    return known.stream()
        .map(entry -> entry.word().isEmpty() ? "''" : entry.word())
        .collect(Collectors.joining(", "));
  }
}
