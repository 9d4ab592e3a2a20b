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
 * same values, so no element is reduced twice. Up to 16 vectors are reduced without a loop, which
 * would cost as much as the vectors.
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
      addBefore(target, p, updates, q, last);
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
      subBefore(target, p, updates, q, last);
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
      mulBefore(target, p, updates, q, last);
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
      minBefore(target, p, updates, q, last);
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
      maxBefore(target, p, updates, q, last);
      end.intoArray(target, p + last);
    }
    sink = seen;
  }

  private static void addBefore(float[] target, int p, float[] updates, int q, int last) {
    int j = 0;
    if (last > 15 * WIDTH) {
      for (; j < last; j += WIDTH) {
        addOne(target, p + j, updates, q + j);
      }
      return;
    }
    if (7 * WIDTH < last) {
      addFour(target, p, updates, q);
      addFour(target, p + 4 * WIDTH, updates, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      addFour(target, p + j, updates, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      addOne(target, p + j, updates, q + j);
      addOne(target, p + j + WIDTH, updates, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      addOne(target, p + j, updates, q + j);
    }
  }

  private static void addFour(float[] target, int p, float[] updates, int q) {
    addOne(target, p, updates, q);
    addOne(target, p + WIDTH, updates, q + WIDTH);
    addOne(target, p + 2 * WIDTH, updates, q + 2 * WIDTH);
    addOne(target, p + 3 * WIDTH, updates, q + 3 * WIDTH);
  }

  private static void addOne(float[] target, int p, float[] updates, int q) {
    add(FloatVector.fromArray(SPECIES, target, p), FloatVector.fromArray(SPECIES, updates, q))
        .intoArray(target, p);
  }

  private static FloatVector add(FloatVector a, FloatVector b) {
    return a.add(b);
  }

  private static void subBefore(float[] target, int p, float[] updates, int q, int last) {
    int j = 0;
    if (last > 15 * WIDTH) {
      for (; j < last; j += WIDTH) {
        subOne(target, p + j, updates, q + j);
      }
      return;
    }
    if (7 * WIDTH < last) {
      subFour(target, p, updates, q);
      subFour(target, p + 4 * WIDTH, updates, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      subFour(target, p + j, updates, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      subOne(target, p + j, updates, q + j);
      subOne(target, p + j + WIDTH, updates, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      subOne(target, p + j, updates, q + j);
    }
  }

  private static void subFour(float[] target, int p, float[] updates, int q) {
    subOne(target, p, updates, q);
    subOne(target, p + WIDTH, updates, q + WIDTH);
    subOne(target, p + 2 * WIDTH, updates, q + 2 * WIDTH);
    subOne(target, p + 3 * WIDTH, updates, q + 3 * WIDTH);
  }

  private static void subOne(float[] target, int p, float[] updates, int q) {
    sub(FloatVector.fromArray(SPECIES, target, p), FloatVector.fromArray(SPECIES, updates, q))
        .intoArray(target, p);
  }

  private static FloatVector sub(FloatVector a, FloatVector b) {
    return a.sub(b);
  }

  private static void mulBefore(float[] target, int p, float[] updates, int q, int last) {
    int j = 0;
    if (last > 15 * WIDTH) {
      for (; j < last; j += WIDTH) {
        mulOne(target, p + j, updates, q + j);
      }
      return;
    }
    if (7 * WIDTH < last) {
      mulFour(target, p, updates, q);
      mulFour(target, p + 4 * WIDTH, updates, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      mulFour(target, p + j, updates, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      mulOne(target, p + j, updates, q + j);
      mulOne(target, p + j + WIDTH, updates, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      mulOne(target, p + j, updates, q + j);
    }
  }

  private static void mulFour(float[] target, int p, float[] updates, int q) {
    mulOne(target, p, updates, q);
    mulOne(target, p + WIDTH, updates, q + WIDTH);
    mulOne(target, p + 2 * WIDTH, updates, q + 2 * WIDTH);
    mulOne(target, p + 3 * WIDTH, updates, q + 3 * WIDTH);
  }

  private static void mulOne(float[] target, int p, float[] updates, int q) {
    mul(FloatVector.fromArray(SPECIES, target, p), FloatVector.fromArray(SPECIES, updates, q))
        .intoArray(target, p);
  }

  private static FloatVector mul(FloatVector a, FloatVector b) {
    return a.mul(b);
  }

  private static void minBefore(float[] target, int p, float[] updates, int q, int last) {
    int j = 0;
    if (last > 15 * WIDTH) {
      for (; j < last; j += WIDTH) {
        minOne(target, p + j, updates, q + j);
      }
      return;
    }
    if (7 * WIDTH < last) {
      minFour(target, p, updates, q);
      minFour(target, p + 4 * WIDTH, updates, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      minFour(target, p + j, updates, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      minOne(target, p + j, updates, q + j);
      minOne(target, p + j + WIDTH, updates, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      minOne(target, p + j, updates, q + j);
    }
  }

  private static void minFour(float[] target, int p, float[] updates, int q) {
    minOne(target, p, updates, q);
    minOne(target, p + WIDTH, updates, q + WIDTH);
    minOne(target, p + 2 * WIDTH, updates, q + 2 * WIDTH);
    minOne(target, p + 3 * WIDTH, updates, q + 3 * WIDTH);
  }

  private static void minOne(float[] target, int p, float[] updates, int q) {
    min(FloatVector.fromArray(SPECIES, target, p), FloatVector.fromArray(SPECIES, updates, q))
        .intoArray(target, p);
  }

  private static FloatVector min(FloatVector a, FloatVector b) {
    return a.min(b);
  }

  private static void maxBefore(float[] target, int p, float[] updates, int q, int last) {
    int j = 0;
    if (last > 15 * WIDTH) {
      for (; j < last; j += WIDTH) {
        maxOne(target, p + j, updates, q + j);
      }
      return;
    }
    if (7 * WIDTH < last) {
      maxFour(target, p, updates, q);
      maxFour(target, p + 4 * WIDTH, updates, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      maxFour(target, p + j, updates, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      maxOne(target, p + j, updates, q + j);
      maxOne(target, p + j + WIDTH, updates, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      maxOne(target, p + j, updates, q + j);
    }
  }

  private static void maxFour(float[] target, int p, float[] updates, int q) {
    maxOne(target, p, updates, q);
    maxOne(target, p + WIDTH, updates, q + WIDTH);
    maxOne(target, p + 2 * WIDTH, updates, q + 2 * WIDTH);
    maxOne(target, p + 3 * WIDTH, updates, q + 3 * WIDTH);
  }

  private static void maxOne(float[] target, int p, float[] updates, int q) {
    max(FloatVector.fromArray(SPECIES, target, p), FloatVector.fromArray(SPECIES, updates, q))
        .intoArray(target, p);
  }

  private static FloatVector max(FloatVector a, FloatVector b) {
    return a.max(b);
  }
}
