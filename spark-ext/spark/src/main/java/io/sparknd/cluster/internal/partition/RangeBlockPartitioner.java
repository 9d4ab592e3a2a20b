/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Assigns ranges of units to partitions; a partition may have several ranges. Every range begins a
 * new block, and its last block ends with it.
 */
public final class RangeBlockPartitioner implements BlockPartitioner {
  private static final long serialVersionUID = 1;

  private final long perBlock;

  /** The first unit of each range, ascending from 0. */
  private final long[] first;

  private final int[] owner;

  /** The number of each range's first block in its partition. */
  private final long[] block;

  /** The ranges of each partition, ascending. */
  private final int[][] ranges;

  /**
   * @param first the first units of the ranges, ascending from 0; each range ends where the next
   *     begins
   * @param owner the partition of each range
   */
  RangeBlockPartitioner(int partitions, long perBlock, long[] first, int[] owner) {
    this(perBlock, first, owner, new long[first.length], ranges(partitions, owner));
    for (int[] own : ranges) {
      for (int i = 1; i < own.length; i++) {
        int before = own[i - 1];
        block[own[i]] = block[before] + blocks(first[before + 1] - first[before]);
      }
    }
  }

  private RangeBlockPartitioner(
      long perBlock, long[] first, int[] owner, long[] block, int[][] ranges) {
    this.perBlock = perBlock;
    this.first = first;
    this.owner = owner;
    this.block = block;
    this.ranges = ranges;
  }

  private static int[][] ranges(int partitions, int[] owner) {
    Map<Integer, List<Integer>> byOwner =
        IntStream.range(0, owner.length).boxed().collect(Collectors.groupingBy(i -> owner[i]));
    return IntStream.range(0, partitions)
        .mapToObj(partition -> byOwner.getOrDefault(partition, List.of()))
        .map(own -> own.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private long blocks(long units) {
    return -Math.floorDiv(-units, perBlock);
  }

  public long[] first() {
    return first;
  }

  public int[] owner() {
    return owner;
  }

  @Override
  public int partitions() {
    return ranges.length;
  }

  @Override
  public long perBlock() {
    return perBlock;
  }

  @Override
  public BlockPartitioner inParts(long n) {
    long[] parts = Arrays.stream(first).map(unit -> unit * n).toArray();
    return new RangeBlockPartitioner(perBlock * n, parts, owner, block, ranges);
  }

  /** Returns the range of {@code unit}: the last that begins at or before it. */
  private int range(long unit) {
    int low = 0;
    int high = first.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (first[middle] <= unit) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public int owner(long unit) {
    return owner[range(unit)];
  }

  @Override
  public long local(long unit) {
    int range = range(unit);
    return block[range] * perBlock + (unit - first[range]);
  }

  @Override
  public long global(int partition, long local) {
    int[] own = ranges[partition];
    int i = own.length - 1;
    while (block[own[i]] * perBlock > local) {
      i--;
    }
    return first[own[i]] + (local - block[own[i]] * perBlock);
  }

  @Override
  public long blocksIn(int partition, long units) {
    int[] own = ranges[partition];
    if (own.length == 0) {
      return 0;
    }
    int last = own[own.length - 1];
    return block[last] + blocks(end(last, units) - first[last]);
  }

  @Override
  public long inBlock(long unit, long units) {
    return Math.min(perBlock, end(range(unit), units) - unit);
  }

  private long end(int range, long units) {
    return range + 1 < first.length ? first[range + 1] : units;
  }
}
