/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link FloatReduceLoop} with the Vector API, for slices of at least one vector.
 *
 * <p>The last vector of a slice ends at the slice's end and may overlap the one before. It is
 * computed before the others are stored, and stored after them. Where they overlap, both hold the
 * same values, so no element is reduced twice.
 */
final class FloatVectorReduceLoop {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  /** Never read; without this write the compiler would drop the prefetch reads. */
  @SuppressWarnings("UnusedVariable")
  private static int sink;

  private FloatVectorReduceLoop() {}

  /** Returns the loop of {@code reduction}, for slices of at least one vector. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case ADD ->
          (blocks, at, updates, units) -> add((float[][]) blocks, at, (float[]) updates, units);
      case SUB ->
          (blocks, at, updates, units) -> sub((float[][]) blocks, at, (float[]) updates, units);
      case MUL ->
          (blocks, at, updates, units) -> mul((float[][]) blocks, at, (float[]) updates, units);
      case MIN, FMIN ->
          (blocks, at, updates, units) -> min((float[][]) blocks, at, (float[]) updates, units);
      case MAX, FMAX ->
          (blocks, at, updates, units) -> max((float[][]) blocks, at, (float[]) updates, units);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  private static void add(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      int q = row[i];
      FloatVector end =
          add(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        add(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static void sub(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      int q = row[i];
      FloatVector end =
          sub(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        sub(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static void mul(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      int q = row[i];
      FloatVector end =
          mul(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        mul(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static void min(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      int q = row[i];
      FloatVector end =
          min(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        min(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static void max(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      int q = row[i];
      FloatVector end =
          max(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        max(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static FloatVector add(FloatVector a, FloatVector b) {
    return a.add(b);
  }

  private static FloatVector sub(FloatVector a, FloatVector b) {
    return a.sub(b);
  }

  private static FloatVector mul(FloatVector a, FloatVector b) {
    return a.mul(b);
  }

  private static FloatVector min(FloatVector a, FloatVector b) {
    return a.min(b);
  }

  private static FloatVector max(FloatVector a, FloatVector b) {
    return a.max(b);
  }
}
