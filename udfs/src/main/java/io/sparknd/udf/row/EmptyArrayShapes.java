/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.op.Indexing;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;

/**
 * Fits empty nested arrays to the shape that a call needs. An empty array does not determine the
 * dimensions after its first 0: {@code []} as a matrix may have shape {@code [0, 3]}. Readers set
 * these dimensions to 0; this class sets them to the sizes that the call needs.
 */
public final class EmptyArrayShapes {
  private EmptyArrayShapes() {}

  /**
   * Returns {@code indices} with tuples of {@code depth} values if they are empty; otherwise
   * unchanged.
   */
  public static Tensor indices(Tensor indices, int depth) {
    int rank = indices.shape().rank();
    if (indices.elements() > 0 || rank < 2) {
      return indices;
    }
    long[] dims = indices.shape().dims();
    dims[rank - 1] = depth;
    return fitted(indices, Shape.of(dims));
  }

  /** Returns {@code updates} in the shape that the call needs if they are empty and can have it. */
  public static Tensor updates(Tensor updates, Shape tensor, Shape indices, Indexing where) {
    if (updates.elements() > 0) {
      return updates;
    }
    try {
      return fitted(updates, where.plan(tensor, indices).updates());
    } catch (SparkNdException e) {
      // the call itself reports the error
      return updates;
    }
  }

  /**
   * Returns {@code tensor}, a nested array, with slices of the shape that updates have, if it is
   * empty and does not determine them; otherwise unchanged.
   */
  public static Tensor target(Tensor tensor, Shape indices, Shape updates, Indexing where) {
    int outer = indices.rank() - 1;
    if (tensor.elements() > 0
        || updates.elements() == 0
        || outer < 0
        || !where.equals(Indexing.tuples())) {
      return tensor;
    }
    long[] dims = tensor.shape().dims();
    long depth = indices.dim(outer);
    if (updates.rank() != outer + dims.length - depth) {
      return tensor; // the call itself reports the error
    }
    for (int i = Math.max(known(dims), (int) depth); i < dims.length; i++) {
      dims[i] = updates.dim(outer + i - (int) depth);
    }
    return tensor.reshape(Shape.of(dims));
  }

  private static Tensor fitted(Tensor empty, Shape needed) {
    long[] dims = empty.shape().dims();
    boolean fits = needed.rank() == dims.length && needed.elements() == 0;
    int known = known(dims);
    return fits && Arrays.equals(dims, 0, known, needed.dims(), 0, known)
        ? empty.reshape(needed)
        : empty;
  }

  /** Returns the number of known dimensions: those up to and including the first 0. */
  private static int known(long[] dims) {
    int known = 0;
    while (known < dims.length && dims[known] != 0) {
      known++;
    }
    return Math.min(known + 1, dims.length);
  }
}
