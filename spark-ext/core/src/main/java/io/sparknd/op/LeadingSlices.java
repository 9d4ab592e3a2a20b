/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** Copies the leading part of a tensor. */
final class LeadingSlices {
  private LeadingSlices() {}

  /**
   * Returns {@code source[:shape[0], :shape[1], ...]}, or {@code source} if it has that shape.
   *
   * @throws io.sparknd.tensor.SparkNdException if the source has another rank or is smaller
   */
  static Tensor of(Tensor source, Shape shape) {
    Shape whole = source.shape();
    if (whole.equals(shape)) {
      return source;
    }
    if (!fits(shape, whole)) {
      throw OperatorErrors.sourceTooSmall(whole, shape);
    }
    // not shared yet, so its array may be modified
    Tensor part = Tensor.zeros(source.dtype(), shape);
    if (shape.elements() > 0) {
      copyRows(source, part);
    }
    return part;
  }

  private static boolean fits(Shape part, Shape whole) {
    boolean fits = part.rank() == whole.rank();
    for (int d = 0; fits && d < part.rank(); d++) {
      fits = part.dim(d) <= whole.dim(d);
    }
    return fits;
  }

  private static void copyRows(Tensor source, Tensor part) {
    int units = source.dtype().units();
    int last = part.shape().rank() - 1;
    int row = (int) part.shape().dim(last);
    Shape rows = part.shape().first(last);
    for (int i = 0; i < rows.elements(); i++) {
      int from = rowStart(rows.coordinates(i), source.shape());
      System.arraycopy(source.array(), from * units, part.array(), i * row * units, row * units);
    }
  }

  private static int rowStart(long[] row, Shape whole) {
    long at = 0;
    for (int d = 0; d < row.length; d++) {
      at = (at + row[d]) * whole.dim(d + 1);
    }
    return (int) at;
  }
}
