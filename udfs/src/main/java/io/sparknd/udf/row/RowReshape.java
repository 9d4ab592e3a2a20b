/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Reshapes a tensor without copying its elements. */
public final class RowReshape {
  private static final long INFERRED = -1;

  private RowReshape() {}

  /**
   * Returns {@code tensor} in the shape {@code dims}, sharing its array.
   *
   * @param dims one may be -1 and is inferred from the number of elements
   * @throws io.sparknd.tensor.SparkNdException if the elements do not fill the shape
   */
  public static Tensor to(Tensor tensor, long... dims) {
    int open = -1;
    for (int d = 0; d < dims.length && open < 0; d++) {
      open = dims[d] == INFERRED ? d : -1;
    }
    return tensor.reshape(Shape.of(open < 0 ? dims : inferred(tensor, dims, open)));
  }

  private static long[] inferred(Tensor tensor, long[] dims, int open) {
    long[] full = dims.clone();
    full[open] = 1;
    boolean once = LongStream.of(full).noneMatch(dim -> dim == INFERRED);
    long others = once ? Shape.of(full).elements() : 0;
    if (others == 0 || tensor.elements() % others != 0) {
      throw UdfErrors.cannotInferDimension(Arrays.toString(dims), tensor.shape());
    }
    full[open] = tensor.elements() / others;
    return full;
  }
}
