/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.classes.ClassFile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Maps the classes along a tensor dimension to their indices. */
final class ClassAxis {
  private final List<String> names;
  private final Map<String, Integer> indices;

  private ClassAxis(List<String> names) {
    this.names = names;
    this.indices =
        IntStream.range(0, names.size())
            .boxed()
            .collect(Collectors.toMap(names::get, Function.identity()));
  }

  /**
   * Returns the {@code most} classes with the most references from {@code classes}, by descending
   * count, then name.
   */
  static ClassAxis mostReferred(List<ClassFile> classes, int most) {
    Map<String, Integer> counts = new HashMap<>();
    for (ClassFile file : classes) {
      file.references().forEach(name -> counts.merge(name, 1, Integer::sum));
    }
    Comparator<Map.Entry<String, Integer>> byCount = Map.Entry.comparingByValue();
    return new ClassAxis(
        counts.entrySet().stream()
            .sorted(byCount.reversed().thenComparing(Map.Entry.comparingByKey()))
            .limit(most)
            .map(Map.Entry::getKey)
            .toList());
  }

  int size() {
    return names.size();
  }

  /** Returns the names in the order of their indices. */
  List<String> names() {
    return names;
  }

  String name(int index) {
    return names.get(index);
  }

  boolean contains(String name) {
    return indices.containsKey(name);
  }

  /** Returns the index of a class on this axis. */
  int index(String name) {
    return Objects.requireNonNull(indices.get(name));
  }
}
