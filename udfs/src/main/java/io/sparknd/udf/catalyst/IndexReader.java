/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.row.EmptyArrayShapes;
import java.io.Serializable;

/**
 * Reads indices as int64.
 *
 * @param depth values in each tuple, or {@link #ANY}
 */
record IndexReader(TensorReader reader, int depth) implements Serializable {
  /** The depth of indices whose type does not determine it, and of indices that are not tuples. */
  static final int ANY = -1;

  /**
   * Returns whether {@code indices}, just read, are an empty array of arrays, which does not show
   * the depth of its tuples.
   */
  boolean isUnknown(Tensor indices) {
    Shape shape = indices.shape();
    return depth == ANY
        && reader.isNested()
        && shape.rank() > 0
        && shape.first(shape.rank() - 1).elements() == 0;
  }

  Tensor read(Object value) {
    Tensor indices = reader.read(value);
    if (depth == ANY) {
      return indices;
    }
    Tensor fitted = EmptyArrayShapes.indices(indices, depth);
    Shape shape = fitted.shape();
    if (shape.rank() > 0 && shape.dim(shape.rank() - 1) != depth) {
      throw UdfErrors.depthDiffers(depth, shape);
    }
    return fitted;
  }
}
