/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;

/**
 * The operands of a benchmark, the same for every peer. All values are integers small enough that
 * the sums of about thirty runs stay below 2^24. Sums are then exact in any order, and results are
 * checked bit for bit. Updates that replace the same slice are equal, because the peers do not
 * define which one wins.
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

  /** The updates {@code [count, inner]}; empty for a gather. */
  float[] updates() {
    return updates;
  }

  /** Receives a tensor in chunks. */
  @FunctionalInterface
  interface Sink {
    /** Receives {@code chunk[0 .. length)} as the elements from {@code from} on. */
    void put(int from, float[] chunk, int length);
  }

  /** Passes the initial tensor to {@code sink} in chunks. */
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

  /** Returns the initial tensor in a new array. */
  float[] tensor() {
    float[] tensor = new float[work.elements()];
    fill((from, chunk, length) -> System.arraycopy(chunk, 0, tensor, from, length));
    return tensor;
  }

  /** Returns the initial tensor in a direct buffer. */
  ByteBuffer directTensor() {
    ByteBuffer tensor = Direct.floats(work.elements());
    FloatBuffer floats = tensor.asFloatBuffer();
    fill((from, chunk, length) -> floats.put(from, chunk, 0, length));
    return tensor;
  }

  /** The number of elements of all rows read or written. */
  int rowElements() {
    return work.count() * work.inner();
  }
}
