/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** Builds index tuples from the index arrays of NumPy, JAX and PyTorch bracket expressions. */
public final class AdvancedIndex {
  private AdvancedIndex() {}

  /**
   * Returns the index tuples {@code [..., k]} of {@code k} index arrays, as in {@code x[i, j,
   * ...]}. The arrays broadcast to one shape {@code [...]}, and component {@code d} of each tuple
   * comes from array {@code d} ("Advanced indexing", NumPy user guide).
   *
   * @param components integer tensors whose shapes broadcast together
   * @return an int64 tensor; a uint64 above 2^63 - 1, which is never in bounds, becomes 2^63 - 1
   * @throws io.sparknd.tensor.SparkNdException if there are no components, one does not have an
   *     integer dtype, or the shapes do not broadcast
   */
  public static Tensor stack(Tensor... components) {
    if (components.length == 0) {
      throw OperatorErrors.noComponents();
    }
    Shape shape = Shape.of();
    for (Tensor component : components) {
      if (!component.dtype().isInteger()) {
        throw OperatorErrors.indicesNotIntegers(component.dtype());
      }
      shape = ShapeBroadcast.common(shape, component.shape());
    }
    Shape stacked = shape.concat(Shape.of(components.length));
    // not shared yet, so its array may be modified
    Tensor tuples = Tensor.zeros(DType.INT64, stacked);
    for (int d = 0; d < components.length; d++) {
      long[] values = IndexValues.toLongs(ShapeBroadcast.to(shape, components[d]));
      interleave(values, (long[]) tuples.array(), d, components.length);
    }
    return tuples;
  }

  private static void interleave(long[] values, long[] tuples, int first, int step) {
    for (int i = 0; i < values.length; i++) {
      tuples[first + i * step] = values[i];
    }
  }
}
