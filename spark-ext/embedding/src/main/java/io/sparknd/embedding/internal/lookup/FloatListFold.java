/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.internal.rows.HalfFloatRows;
import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.util.Arrays;

/**
 * Combines float32 rows, and rows of half types, which are widened first and rounded at the end of
 * a list.
 */
final class FloatListFold extends ListFold {
  private final DType dtype;
  private final Combiner combiner;
  private final float maxNorm;
  private final float[] sum;
  private final float[] row;
  private float weights;
  private boolean isEmpty;

  FloatListFold(DType dtype, int elements, Lookup how) {
    this.dtype = dtype;
    this.combiner = how.combiner();
    this.maxNorm = (float) how.maxNorm();
    this.sum = new float[elements];
    this.row = new float[elements];
  }

  @Override
  Object allocate(int elements) {
    return new float[elements];
  }

  @Override
  void begin() {
    isEmpty = true;
    weights = 0;
  }

  @Override
  void add(Object rows, int unit, double weight) {
    if (rows instanceof float[] floats) {
      addClipped(floats, unit, (float) weight);
    } else {
      HalfFloatRows.widen(dtype, (short[]) rows, unit, row, 0, row.length);
      addClipped(row, 0, (float) weight);
    }
    isEmpty = false;
  }

  private void addClipped(float[] from, int at, float weight) {
    if (maxNorm == Float.POSITIVE_INFINITY) {
      addWeighted(from, at, weight);
      return;
    }
    float norm = norm(from, at);
    if (norm <= maxNorm) {
      addWeighted(from, at, weight);
      return;
    }
    for (int i = 0; i < row.length; i++) {
      row[i] = from[at + i] * maxNorm / norm;
    }
    addWeighted(row, 0, weight);
  }

  private float norm(float[] from, int at) {
    float squares = 0;
    for (int i = 0; i < row.length; i++) {
      squares += from[at + i] * from[at + i];
    }
    return (float) Math.sqrt(squares);
  }

  private void addWeighted(float[] from, int at, float weight) {
    float[] to = sum;
    if (isEmpty) {
      for (int i = 0; i < to.length; i++) {
        to[i] = from[at + i] * weight;
      }
    } else {
      for (int i = 0; i < to.length; i++) {
        to[i] += from[at + i] * weight;
      }
    }
    weights += combiner == Combiner.SQRTN ? weight * weight : weight;
  }

  @Override
  void end(Object target, int at) {
    float[] to = (float[]) target;
    float divisor = divisor();
    if (isEmpty || divisor == 0) {
      Arrays.fill(to, at, at + sum.length, 0);
      return;
    }
    for (int i = 0; i < sum.length; i++) {
      to[at + i] = rounded(sum[i] / divisor);
    }
  }

  private float divisor() {
    return switch (combiner) {
      case SUM -> 1;
      case MEAN -> weights;
      case SQRTN -> (float) Math.sqrt(weights);
    };
  }

  private float rounded(float value) {
    return switch (dtype) {
      case FLOAT16 -> HalfFloats.fromFloat16(HalfFloats.toFloat16(value));
      case BFLOAT16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16(value));
      default -> value;
    };
  }
}
