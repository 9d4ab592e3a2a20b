/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;

/**
 * The operands of a piece of work, the same for every peer. All values are whole numbers, small
 * enough for the sums of some thirty runs to stay below 2^24: a sum then has the same bits in any
 * order of its terms, and every answer can be checked bit for bit. Updates of one slice are alike
 * where the work is to replace it, because the peers leave open which of several wins.
 */
final class Operands {
  private static final int CHUNK = 1 << 16;

  private final Work work;
  private final int[] slices;
  private final long[] tuples;
  private final float[] updates;

  private Operands(Work work, int[] slices, long[] tuples, float[] updates) {
    this.work = work;
    this.slices = slices;
    this.tuples = tuples;
    this.updates = updates;
  }

  static Operands of(Work work) {
    int[] slices = draw(work);
    return new Operands(work, slices, tuples(work, slices), updates(work, slices));
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

  private static float[] updates(Work work, int[] slices) {
    int inner = work.inner();
    float[] updates = new float[work.op().gathers() ? 0 : slices.length * inner];
    for (int i = 0; i < updates.length; i++) {
      int seed = work.op() == Work.Op.UPDATE ? slices[i / inner] * inner + i % inner : i;
      updates[i] = 1 + (seed * 0x9E3779B9 >>> 30);
    }
    return updates;
  }

  Work work() {
    return work;
  }

  /** Number of the slice that each tuple names. */
  int[] slices() {
    return slices;
  }

  /** Tuples {@code [count, depth]}. */
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

  /** Updates {@code [count, inner]}; empty for a gather. */
  float[] updates() {
    return updates;
  }

  /** Takes a tensor in pieces. */
  @FunctionalInterface
  interface Sink {
    /** Takes {@code chunk[0 .. length)} as the elements from {@code from} on. */
    void put(int from, float[] chunk, int length);
  }

  /** Hands out the tensor as it is before the work. */
  void fill(Sink sink) {
    float[] chunk = new float[CHUNK];
    for (int from = 0; from < work.elements(); from += CHUNK) {
      int length = Math.min(CHUNK, work.elements() - from);
      for (int i = 0; i < length; i++) {
        chunk[i] = (from + i) * 0x85EBCA6B >>> 28;
      }
      sink.put(from, chunk, length);
    }
  }

  /** The tensor as it is before the work, in a new array. */
  float[] tensor() {
    float[] tensor = new float[work.elements()];
    fill((from, chunk, length) -> System.arraycopy(chunk, 0, tensor, from, length));
    return tensor;
  }

  /** The same, outside the heap. */
  ByteBuffer directTensor() {
    ByteBuffer tensor = Direct.floats(work.elements());
    FloatBuffer floats = tensor.asFloatBuffer();
    fill((from, chunk, length) -> floats.put(from, chunk, 0, length));
    return tensor;
  }

  /** Elements of all rows that are read or written. */
  int rowElements() {
    return work.count() * work.inner();
  }
}
