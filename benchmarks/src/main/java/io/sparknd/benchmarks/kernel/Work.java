/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A benchmark.
 *
 * @param id its short name
 * @param op the operation on slices
 * @param type the element type of the tensor
 * @param shape the shape of the tensor
 * @param depth the length of the index tuples
 * @param count the number of index tuples
 * @param draw the distribution of the indices
 * @param goals ratios to the best correct peer, for one thread and for two
 */
record Work(
    String id,
    Op op,
    WorkType type,
    List<Integer> shape,
    int depth,
    int count,
    Draw draw,
    Goals goals) {

  Work {
    shape = List.copyOf(shape);
  }

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

  /** What is done with what. */
  String title() {
    return String.format(
        "%s %,d %s tuples of depth %d, %stensor %s",
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
        type == WorkType.FLOAT32 ? "" : type.dtype() + " ",
        shape);
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

  /** The number of elements of all rows read or written. */
  int rowElements() {
    return Math.multiplyExact(count, inner());
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
