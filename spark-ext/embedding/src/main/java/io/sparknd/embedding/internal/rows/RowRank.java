/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;

/** Computes the place of a row in an order of eviction; ids break ties. */
final class RowRank {
  private RowRank() {}

  /** Returns a number, at least 0, that is lower for a row that goes earlier. */
  static long of(EvictionOrder order, RowBlock block, int at, RowLayout layout) {
    return switch (order) {
      case LEAST_RECENT -> block.lastStep(at);
      case LEAST_FREQUENT -> block.updates(at);
      case SMALLEST -> Double.doubleToLongBits(norm(block, at, layout)); // ascend with the norm
    };
  }

  private static double norm(RowBlock block, int at, RowLayout layout) {
    double squares = 0;
    for (int i = at * layout.dim(); i < (at + 1) * layout.dim(); i++) {
      double weight = weight(block.weights(), i, layout.dtype());
      squares += weight * weight;
    }
    return Math.sqrt(squares);
  }

  private static double weight(Object weights, int at, DType dtype) {
    if (weights instanceof float[] floats) {
      return floats[at];
    }
    short half = ((short[]) weights)[at];
    return dtype == DType.FLOAT16 ? HalfFloats.fromFloat16(half) : HalfFloats.fromBfloat16(half);
  }
}
