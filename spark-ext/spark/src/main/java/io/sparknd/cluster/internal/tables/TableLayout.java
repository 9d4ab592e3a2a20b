/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.partition.BlockLayout;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A tensor layout that adopts the input partitions of a table, which hold disjoint ascending ranges
 * of slices.
 *
 * @param layout layout of the tensor
 * @param partitions the tensor's partition for each input partition, -1 for an empty one
 * @param runs runs of each input partition, from {@link AscendingRuns}
 */
record TableLayout(BlockLayout layout, int[] partitions, List<long[]> runs)
    implements Serializable {

  /**
   * Derives the layout from the runs of the input partitions.
   *
   * @param usual the layout that the tensor has otherwise
   * @param sliceElements elements of a row of the table
   * @param runs runs of each input partition
   * @param parallelism tasks that can run at a time
   * @return empty if runs overlap or are too many, or partitions are too few or too large
   */
  static Optional<TableLayout> of(
      BlockLayout usual, long sliceElements, List<long[]> runs, int parallelism) {
    int[] partitions = numbered(runs);
    int count = (int) runs.stream().filter(bounds -> bounds.length > 0).count();
    boolean tooMany = runs.stream().anyMatch(bounds -> bounds.length > 2 * AscendingRuns.MAX);
    if (tooMany || count == 0 || count < Math.min(parallelism, usual.partitions())) {
      return Optional.empty();
    }
    return ranges(usual, sliceElements, runs)
        .map(ranges -> laidOut(usual, ranges, partitions, count))
        .filter(layout -> !isTooLarge(layout))
        .map(layout -> new TableLayout(layout, partitions, new ArrayList<>(runs)));
  }

  /** Returns the input partitions that have rows. */
  Set<Integer> inputs() {
    return IntStream.range(0, partitions.length)
        .filter(input -> partitions[input] >= 0)
        .boxed()
        .collect(Collectors.toSet());
  }

  private static int[] numbered(List<long[]> runs) {
    int[] partitions = new int[runs.size()];
    int next = 0;
    for (int input = 0; input < partitions.length; input++) {
      partitions[input] = runs.get(input).length == 0 ? -1 : next++;
    }
    return partitions;
  }

  /**
   * @param firstRow first row of the range, which ends where the next begins
   */
  private record Range(int input, long firstRow) {}

  private record Run(int input, long first, long last) {}

  /** Returns the ranges of rows that the runs extend to; empty if they overlap or share a row. */
  private static Optional<List<Range>> ranges(
      BlockLayout usual, long sliceElements, List<long[]> runs) {
    List<Range> ranges = new ArrayList<>();
    Run before = new Run(-1, -1, -1);
    for (Run run : sorted(runs)) {
      long end = (before.last() + 1) * sliceElements;
      long firstRow = ranges.isEmpty() ? 0 : run.first() * sliceElements / usual.rowElements();
      boolean sharesRow = firstRow * usual.rowElements() < end;
      if (run.first() <= before.last() || run.input() != before.input() && sharesRow) {
        return Optional.empty();
      }
      if (run.input() != before.input()) {
        ranges.add(new Range(run.input(), firstRow));
      }
      before = run;
    }
    return Optional.of(ranges);
  }

  private static List<Run> sorted(List<long[]> runs) {
    List<Run> sorted = new ArrayList<>();
    for (int input = 0; input < runs.size(); input++) {
      long[] bounds = runs.get(input);
      for (int i = 0; i < bounds.length; i += 2) {
        sorted.add(new Run(input, bounds[i], bounds[i + 1]));
      }
    }
    sorted.sort(Comparator.comparingLong(Run::first));
    return sorted;
  }

  private static BlockLayout laidOut(
      BlockLayout usual, List<Range> ranges, int[] partitions, int count) {
    long[] firstRows = ranges.stream().mapToLong(Range::firstRow).toArray();
    int[] owners = ranges.stream().mapToInt(range -> partitions[range.input()]).toArray();
    return usual.inRanges(count, firstRows, owners);
  }

  private static boolean isTooLarge(BlockLayout layout) {
    for (int partition = 0; partition < layout.partitions(); partition++) {
      if (layout.bytesIn(partition) > 4 * BlockLayout.PARTITION_BYTES) {
        return true;
      }
    }
    return false;
  }
}
