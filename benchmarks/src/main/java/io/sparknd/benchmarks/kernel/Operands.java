/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * The operands of a benchmark, the same for every peer. All values are integers small enough that
 * the sums of about thirty runs are exact in any order, so results are checked bit for bit. Updates
 * that replace the same slice are equal, because the peers do not define which one wins.
 */
final class Operands {
  private static final int CHUNK = 1 << 16;

  private final Work work;
  private final int[] slices;
  private final long[] tuples;
  private final Object updates;

  private Operands(Work work, int[] slices, long[] tuples) {
    this.work = work;
    this.slices = slices;
    this.tuples = tuples;
    this.updates =
        work.op().gathers()
            ? work.type().storage().allocate(0)
            : array(work.rowElements(), this::update);
  }

  static Operands of(Work work) {
    int[] slices = draw(work);
    return new Operands(work, slices, tuples(work, slices));
  }

  private static int[] draw(Work work) {
    return switch (work.draw()) {
      case UNIFORM -> new SplittableRandom(7).ints(work.count(), 0, work.slices()).toArray();
      case ZIPF -> new Zipf(work.slices(), 1.1, 7).draw(work.count());
    };
  }

  private static long[] tuples(Work work, int[] slices) {
    int depth = work.depth();
    long[] tuples = new long[slices.length * depth];
    for (int i = 0; i < slices.length; i++) {
      int rest = slices[i];
      for (int d = depth - 1; d >= 0; d--) {
        tuples[i * depth + d] = rest % work.shape().get(d);
        rest /= work.shape().get(d);
      }
    }
    return tuples;
  }

  /** Element {@code i} of the initial tensor: 0 to 15. */
  static int initial(int i) {
    return i * 0x85EBCA6B >>> 28;
  }

  /** Element {@code i} of the updates: 1 to 4, or 1 and -1 for sums of many in a narrow type. */
  private int update(int i) {
    int inner = work.inner();
    boolean isReplaced = work.op() == Work.Op.UPDATE;
    int hash = (isReplaced ? slices[i / inner] * inner + i % inner : i) * 0x9E3779B9;
    boolean isNarrow = work.op() == Work.Op.ADD && work.type() != WorkType.FLOAT32;
    return isNarrow ? 1 - (hash >>> 31 << 1) : 1 + (hash >>> 30);
  }

  Work work() {
    return work;
  }

  /** The slice number of each tuple. */
  int[] slices() {
    return slices;
  }

  /** The tuples {@code [count, depth]}. */
  long[] tuples() {
    return tuples;
  }

  /** Column {@code dimension} of the tuples. */
  long[] column(int dimension) {
    long[] column = new long[work.count()];
    for (int i = 0; i < column.length; i++) {
      column[i] = tuples[i * work.depth() + dimension];
    }
    return column;
  }

  /** The updates {@code [count, inner]} in an array; empty for a gather. */
  Object updates() {
    return updates;
  }

  /** Receives elements in chunks. */
  @FunctionalInterface
  interface Sink {
    /** Receives {@code chunk[0 .. length)} as the elements from {@code from} on. */
    void put(int from, Object chunk, int length);
  }

  /** Passes the initial tensor to {@code sink} in chunks. */
  void fill(Sink sink) {
    fill(work.elements(), Operands::initial, sink);
  }

  private void fill(int elements, IntUnaryOperator value, Sink sink) {
    int[] values = new int[CHUNK];
    Object chunk = work.type().storage().allocate(CHUNK);
    for (int from = 0; from < elements; from += CHUNK) {
      int length = Math.min(CHUNK, elements - from);
      for (int i = 0; i < length; i++) {
        values[i] = value.applyAsInt(from + i);
      }
      work.type().encode(values, chunk, length);
      sink.put(from, chunk, length);
    }
  }

  private Object array(int elements, IntUnaryOperator value) {
    Object array = work.type().storage().allocate(elements);
    fill(elements, value, (from, chunk, length) -> System.arraycopy(chunk, 0, array, from, length));
    return array;
  }

  /** Returns the initial tensor in a new array. */
  Object tensor() {
    return array(work.elements(), Operands::initial);
  }

  /** Returns the initial tensor in a direct buffer. */
  ByteBuffer directTensor() {
    int bytes = work.type().storage().bytes();
    ByteBuffer tensor = Direct.zeros(work.elements(), bytes);
    fill(
        (from, chunk, length) ->
            work.type().storage().put(chunk, 0, length, tensor.position(from * bytes)));
    return tensor.rewind();
  }

  /** Returns the updates in a direct buffer. */
  ByteBuffer directUpdates() {
    return Direct.of(work.type().storage(), updates);
  }
}
