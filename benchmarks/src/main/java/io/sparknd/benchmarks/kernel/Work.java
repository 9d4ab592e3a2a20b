/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A benchmark on a float32 tensor.
 *
 * @param id the letter of its goal
 * @param title the description
 * @param op the operation on slices
 * @param shape the shape of the tensor
 * @param depth the length of the index tuples
 * @param count the number of index tuples
 * @param draw the distribution of the indices
 * @param goals ratios to the best correct peer, for one thread and for two
 */
record Work(
    String id,
    String title,
    Op op,
    List<Integer> shape,
    int depth,
    int count,
    Draw draw,
    Goals goals) {
  private static final int MILLION = 1_000_000;

  /** The operation on each slice that a tuple names. */
  enum Op {
    /** Copies the slice into a given result. */
    GATHER,
    /** Copies the slice into a new result. */
    GATHER_NEW,
    /** Replaces the slice in place. */
    UPDATE,
    /** Adds to the slice in place. */
    ADD,
    /** Keeps the larger element of slice and update, in place. */
    MAX;

    boolean gathers() {
      return this == GATHER || this == GATHER_NEW;
    }
  }

  /** The distribution of indices. */
  enum Draw {
    UNIFORM,
    ZIPF
  }

  /** The highest ratios that meet the goal, with one thread and with two. */
  record Goals(double one, double two) {
    double of(int threads) {
      return threads == 1 ? one : two;
    }
  }

  static final List<Work> FULL = list(1);

  /** Smaller tensors, without gathers into new results, which differ least from the others. */
  static final List<Work> QUICK =
      list(4).stream().filter(work -> work.op() != Op.GATHER_NEW).toList();

  private static List<Work> list(int divisor) {
    int rows = MILLION / divisor;
    int few = 10 * MILLION / divisor;
    int side = 4096 / (int) Math.sqrt(divisor);
    List<Integer> table = List.of(rows, 64);
    List<Integer> cells = List.of(64 * MILLION / divisor);
    List<Integer> cube = List.of(side, side, 16);
    return List.of(
        work("a", Op.GATHER, table, 1, rows, Draw.UNIFORM, new Goals(0.8, 0.95)),
        work("a2", Op.GATHER_NEW, table, 1, rows, Draw.UNIFORM, new Goals(0.8, 0.95)),
        work("b", Op.UPDATE, table, 1, rows, Draw.UNIFORM, new Goals(0.95, 0.65)),
        work("c", Op.ADD, table, 1, rows, Draw.ZIPF, new Goals(0.5, 0.3)),
        work("d", Op.ADD, cells, 1, few, Draw.UNIFORM, new Goals(0.65, 0.45)),
        work("e", Op.MAX, cells, 1, few, Draw.UNIFORM, new Goals(0.6, 0.45)),
        work("f", Op.ADD, cube, 2, rows, Draw.UNIFORM, new Goals(0.3, 0.2)),
        work("g", Op.UPDATE, cube, 2, rows, Draw.UNIFORM, new Goals(0.25, 0.3)));
  }

  private static Work work(
      String id, Op op, List<Integer> shape, int depth, int count, Draw draw, Goals goals) {
    String title =
        String.format(
            "%s %,d %s tuples of depth %d, tensor %s",
            switch (op) {
              case GATHER -> "gather into a given result,";
              case GATHER_NEW -> "gather into a new result,";
              case UPDATE -> "update in place,";
              case ADD -> "add in place,";
              case MAX -> "max in place,";
            },
            count,
            draw == Draw.ZIPF ? "Zipf(1.1)" : "uniform",
            depth,
            shape);
    return new Work(id, title, op, shape, depth, count, draw, goals);
  }

  static Work named(String id, List<Work> of) {
    return of.stream().filter(work -> work.id.equals(id)).findFirst().orElseThrow();
  }

  /** The number of elements of the tensor. */
  int elements() {
    return product(0, shape.size());
  }

  /** The number of slices of the tensor. */
  int slices() {
    return product(0, depth);
  }

  /** The number of elements of a slice. */
  int inner() {
    return product(depth, shape.size());
  }

  /** The shape as longs. */
  long[] dims() {
    return shape.stream().mapToLong(Integer::longValue).toArray();
  }

  /** The shape of the index tuples. */
  long[] tupleDims() {
    return new long[] {count, depth};
  }

  /** The shape of the updates, or of the result of a gather. */
  long[] rowDims() {
    return IntStream.concat(
            IntStream.of(count), IntStream.range(depth, shape.size()).map(shape::get))
        .asLongStream()
        .toArray();
  }

  private int product(int from, int to) {
    return shape.subList(from, to).stream().reduce(1, Math::multiplyExact);
  }
}
