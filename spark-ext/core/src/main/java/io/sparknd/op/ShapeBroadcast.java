/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * NumPy's broadcasting. Shapes are aligned at their last dimension; dimensions of 1 and missing
 * leading dimensions repeat ("General broadcasting rules", NumPy user guide).
 */
final class ShapeBroadcast {
  private final Object from;
  private final Object to;
  private final int units;
  private final long[] dims;
  private final int[] steps;
  private final int[] strides;

  private ShapeBroadcast(Tensor values, Tensor result) {
    this.from = values.array();
    this.to = result.array();
    this.units = values.dtype().units();
    this.dims = result.shape().dims();
    this.steps = new int[dims.length];
    this.strides = new int[dims.length];
    int missing = dims.length - values.shape().rank();
    for (int d = 0; d < dims.length; d++) {
      steps[d] = (int) result.shape().from(d + 1).elements();
      boolean repeats = d < missing || values.shape().dim(d - missing) != dims[d];
      strides[d] = repeats ? 0 : (int) values.shape().from(d - missing + 1).elements();
    }
  }

  /**
   * Returns {@code values} broadcast to {@code shape}, or {@code values} if it has that shape.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code values} does not broadcast to it
   */
  static Tensor to(Shape shape, Tensor values) {
    if (values.shape().equals(shape)) {
      return values;
    }
    if (!common(values.shape(), shape).equals(shape)) {
      throw OperatorErrors.doesNotBroadcast(values.shape(), shape);
    }
    // not shared yet, so its array may be modified
    Tensor result = Tensor.zeros(values.dtype(), shape);
    if (shape.elements() > 0) {
      new ShapeBroadcast(values, result).copy(0, 0, 0);
    }
    return result;
  }

  /**
   * Returns the shape that two shapes broadcast to.
   *
   * @throws io.sparknd.tensor.SparkNdException if they do not broadcast together
   */
  static Shape common(Shape a, Shape b) {
    int rank = Math.max(a.rank(), b.rank());
    long[] dims = new long[rank];
    for (int d = 0; d < rank; d++) {
      long left = aligned(a, d - rank);
      long right = aligned(b, d - rank);
      if (left != right && left != 1 && right != 1) {
        throw OperatorErrors.doesNotBroadcast(a, b);
      }
      dims[d] = left == 1 ? right : left;
    }
    return Shape.of(dims);
  }

  /** Removes leading dimensions of 1 while {@code values} has a higher rank than {@code shape}. */
  static Tensor withoutLeadingOnes(Shape shape, Tensor values) {
    Shape own = values.shape();
    int extra = 0;
    while (own.rank() - extra > shape.rank() && own.dim(extra) == 1) {
      extra++;
    }
    return extra == 0 ? values : values.reshape(own.from(extra));
  }

  private static long aligned(Shape shape, int fromEnd) {
    int axis = shape.rank() + fromEnd;
    return axis < 0 ? 1 : shape.dim(axis);
  }

  private void copy(int axis, int source, int target) {
    if (axis == dims.length) {
      System.arraycopy(from, source * units, to, target * units, units);
      return;
    }
    if (strides[axis] == 0) {
      copy(axis + 1, source, target);
      repeat(target * units, steps[axis] * units, (int) dims[axis]);
      return;
    }
    for (int i = 0; i < dims[axis]; i++) {
      copy(axis + 1, source + i * strides[axis], target + i * steps[axis]);
    }
  }

  /** Repeats the run at {@code start} {@code times} times, doubling the copied part each step. */
  private void repeat(int start, int length, int times) {
    for (int done = 1; done < times; ) {
      int more = Math.min(done, times - done);
      System.arraycopy(to, start, to, start + done * length, more * length);
      done += more;
    }
  }
}
