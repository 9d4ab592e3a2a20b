/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

/** Hand-written loops. */
final class PlainLoops {
  private PlainLoops() {}

  /** Gathers rows {@code [from, to)} of the result. */
  static void gather(float[] tensor, int[] slices, float[] result, int inner, int from, int to) {
    for (int i = from; i < to; i++) {
      System.arraycopy(tensor, slices[i] * inner, result, i * inner, inner);
    }
  }

  /** Applies all updates to slices {@code [from, to)}, in order. */
  static void scatter(
      Work.Op op, float[] tensor, int[] slices, float[] updates, int inner, int from, int to) {
    switch (op) {
      case UPDATE -> update(tensor, slices, updates, inner, from, to);
      case ADD -> add(tensor, slices, updates, inner, from, to);
      case MAX -> max(tensor, slices, updates, inner, from, to);
      case GATHER, GATHER_NEW -> throw new IllegalArgumentException(op + " is not a scatter");
    }
  }

  private static void update(
      float[] tensor, int[] slices, float[] updates, int inner, int from, int to) {
    for (int i = 0; i < slices.length; i++) {
      if (slices[i] >= from && slices[i] < to) {
        System.arraycopy(updates, i * inner, tensor, slices[i] * inner, inner);
      }
    }
  }

  private static void add(
      float[] tensor, int[] slices, float[] updates, int inner, int from, int to) {
    for (int i = 0; i < slices.length; i++) {
      if (slices[i] >= from && slices[i] < to) {
        for (int j = 0; j < inner; j++) {
          tensor[slices[i] * inner + j] += updates[i * inner + j];
        }
      }
    }
  }

  private static void max(
      float[] tensor, int[] slices, float[] updates, int inner, int from, int to) {
    for (int i = 0; i < slices.length; i++) {
      if (slices[i] >= from && slices[i] < to) {
        for (int j = 0; j < inner; j++) {
          int at = slices[i] * inner + j;
          tensor[at] = Math.max(tensor[at], updates[i * inner + j]);
        }
      }
    }
  }
}
