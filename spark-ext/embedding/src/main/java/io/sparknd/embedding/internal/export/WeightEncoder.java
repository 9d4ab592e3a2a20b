/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.WeightPrecision;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.RowTile;
import io.sparknd.tensor.HalfFloats;

/** Converts rows of float32 to a precision. */
record WeightEncoder(WeightPrecision precision, int dim) {
  private static final int MAX_INT8 = 127;

  /** Returns the scales of the rows, for {@link WeightPrecision#INT8}. */
  float[] scales(RowTile tile) {
    float[] scales = new float[tile.count()];
    for (int row = 0; row < scales.length; row++) {
      float largest = 0;
      for (int i = row * dim; i < (row + 1) * dim; i++) {
        largest = Math.max(largest, Math.abs(tile.weights()[i]));
      }
      scales[row] = largest / MAX_INT8;
      if (!Float.isFinite(MAX_INT8 * scales[row])) { // what a reader computes
        throw EmbeddingErrors.weightOverflows(tile.ids()[row], largest, precision.toString());
      }
    }
    return scales;
  }

  /**
   * Returns the weights, in the storage of the precision.
   *
   * @param scales of the rows; empty if the precision has none
   */
  Object weights(RowTile tile, float[] scales) {
    return switch (precision) {
      case FLOAT32 -> {
        check(tile, Float.MAX_VALUE);
        yield tile.weights();
      }
      case FLOAT16, BFLOAT16 -> halves(tile);
      case INT8 -> bytes(tile, scales);
    };
  }

  private void check(RowTile tile, float most) {
    for (int i = 0; i < tile.count() * dim; i++) {
      if (!(Math.abs(tile.weights()[i]) <= most)) {
        throw overflow(tile, i);
      }
    }
  }

  private RuntimeException overflow(RowTile tile, int i) {
    return EmbeddingErrors.weightOverflows(
        tile.ids()[i / dim], tile.weights()[i], precision.toString());
  }

  private short[] halves(RowTile tile) {
    short[] halves = new short[tile.count() * dim];
    for (int i = 0; i < halves.length; i++) {
      float weight = tile.weights()[i];
      boolean isFloat16 = precision == WeightPrecision.FLOAT16;
      halves[i] = isFloat16 ? HalfFloats.toFloat16(weight) : HalfFloats.toBfloat16(weight);
      float read =
          isFloat16 ? HalfFloats.fromFloat16(halves[i]) : HalfFloats.fromBfloat16(halves[i]);
      if (!Float.isFinite(read)) {
        throw overflow(tile, i);
      }
    }
    return halves;
  }

  private byte[] bytes(RowTile tile, float[] scales) {
    byte[] bytes = new byte[tile.count() * dim];
    for (int i = 0; i < bytes.length; i++) {
      float scale = scales[i / dim];
      // a scale of subnormal weights may be 0, or rounded so far down that the quotient exceeds 127
      double quotient = scale == 0 ? 0 : Math.rint((double) tile.weights()[i] / scale);
      bytes[i] = (byte) Math.max(-MAX_INT8, Math.min(MAX_INT8, quotient));
    }
    return bytes;
  }
}
