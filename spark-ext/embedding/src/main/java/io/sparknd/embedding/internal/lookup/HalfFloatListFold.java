/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;

/** Combines rows of float16 or bfloat16 as float32, and rounds at the end of a list. */
final class HalfFloatListFold extends ListFold {
  private final DType dtype;
  private final FloatListFold fold;
  private final float[] widened;

  HalfFloatListFold(DType dtype, int elements, Lookup how) {
    this.dtype = dtype;
    this.fold = new FloatListFold(elements, how);
    this.widened = new float[elements];
  }

  @Override
  Object allocate(int elements) {
    return fold.allocate(elements);
  }

  @Override
  void begin() {
    fold.begin();
  }

  @Override
  void add(Object rows, int unit, double weight) {
    HalfRows.widen(dtype, (short[]) rows, unit, widened, 0, widened.length);
    fold.add(widened, 0, weight);
  }

  @Override
  void end(Object target, int at) {
    fold.end(target, at);
    float[] to = (float[]) target;
    for (int i = at; i < at + widened.length; i++) {
      to[i] = rounded(to[i]);
    }
  }

  private float rounded(float value) {
    return dtype == DType.FLOAT16
        ? HalfFloats.fromFloat16(HalfFloats.toFloat16(value))
        : HalfFloats.fromBfloat16(HalfFloats.toBfloat16(value));
  }
}
