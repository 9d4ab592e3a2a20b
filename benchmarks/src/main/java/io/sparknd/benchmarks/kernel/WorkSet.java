/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.List;

/**
 * The benchmarks of a suite and how they are measured.
 *
 * @param suite the name of the suite
 * @param setting what its benchmarks have in common, in words
 * @param works the benchmarks
 * @param threads each benchmark runs with each of these thread counts
 * @param warmups rounds before those that are measured
 * @param rounds measured rounds
 * @param heap gigabytes of the Java heap
 * @param direct the most gigabytes of direct buffers
 */
record WorkSet(
    String suite,
    String setting,
    List<Work> works,
    List<Integer> threads,
    int warmups,
    int rounds,
    int heap,
    int direct) {

  WorkSet {
    works = List.copyOf(works);
    threads = List.copyOf(threads);
  }

  /**
   * Returns the benchmarks of a suite.
   *
   * @throws IllegalArgumentException if there is no such suite
   */
  static WorkSet of(String suite, boolean quick) {
    return switch (suite) {
      case KernelWorks.SUITE -> KernelWorks.set(quick);
      case RowWorks.SUITE -> RowWorks.set(quick);
      default -> throw new IllegalArgumentException(suite);
    };
  }

  /** Returns the benchmark with this id. */
  Work named(String id) {
    return works.stream().filter(work -> work.id().equals(id)).findFirst().orElseThrow();
  }

  /**
   * Returns the benchmarks to run.
   *
   * @param ids ids, or their first words; all if empty
   */
  List<Work> named(List<String> ids) {
    return works.stream()
        .filter(
            work ->
                ids.isEmpty()
                    || ids.stream()
                        .anyMatch(id -> work.id().equals(id) || work.id().startsWith(id + "-")))
        .toList();
  }
}
