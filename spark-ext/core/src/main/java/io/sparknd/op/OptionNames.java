/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The names that an option accepts, with their values.
 *
 * @param what the option's name, for messages
 * @param known the accepted names, in the order in which messages list them
 */
record OptionNames<T>(String what, List<Entry<T>> known) {

  record Entry<T>(String name, T value) {}

  static <T> OptionNames<T> of(String what) {
    return new OptionNames<>(what, List.of());
  }

  OptionNames<T> and(String name, T value) {
    List<Entry<T>> more = new ArrayList<>(known);
    more.add(new Entry<>(name, value));
    return new OptionNames<>(what, List.copyOf(more));
  }

  /**
   * Returns the value of {@code name}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  T find(String name) {
    for (Entry<T> entry : known) {
      if (entry.name().equals(name)) {
        return entry.value();
      }
    }
    throw OperatorErrors.unknownValue(what, name, list());
  }

  /**
   * Returns {@code value} after checking that a name for it exists.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code operator} has no name for it
   */
  T require(String operator, T value) {
    for (Entry<T> entry : known) {
      if (entry.value().equals(value)) {
        return value;
      }
    }
    throw OperatorErrors.notOffered(operator, what + " '" + value + "'", list());
  }

  private String list() {
    return known.stream()
        .map(entry -> entry.name().isEmpty() ? "''" : entry.name())
        .collect(Collectors.joining(", "));
  }
}
