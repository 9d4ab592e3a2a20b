/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import java.io.Serializable;

/** How the values of an indices tensor name slices of another tensor. */
public sealed interface Indexing extends Serializable {

  /**
   * The last dimension of indices {@code [b_1, ..., b_m, k]} is a tuple that names a slice of
   * {@code shape[k:]}, as in TensorFlow's and ONNX's {@code ND} operators. The first {@code
   * batchDims} dimensions of indices and tensor are batch dimensions and must be equal.
   */
  record Tuples(int batchDims) implements Indexing {}

  /**
   * Each value replaces its own coordinate along {@code axis} and names one element, as in ONNX's
   * {@code ScatterElements} and {@code GatherElements}, PyTorch's {@code scatter} and {@code
   * gather}. A negative axis counts from the end.
   */
  record Elements(int axis) implements Indexing {}

  /**
   * Each value names a hyperplane across {@code axis}, as in PyTorch's {@code index_add} and ONNX's
   * {@code Gather}. A negative axis counts from the end.
   */
  record Axis(int axis) implements Indexing {}

  /**
   * Element-wise indices as in {@link Elements}. Tensor, indices and updates may be scalars, each
   * of which counts as a vector of one element, as in PyTorch's {@code scatter} and {@code gather}.
   */
  record ElementsOrScalar(int axis) implements Indexing {}

  /**
   * Hyperplane indices as in {@link Axis}. A scalar tensor takes one index and scalar updates, as
   * in PyTorch's {@code index_add}.
   */
  record AxisOrScalar(int axis) implements Indexing {}

  /** Index tuples without batch dimensions. */
  static Indexing tuples() {
    return new Tuples(0);
  }

  /**
   * Returns the plan for indices of shape {@code indices} into a tensor of shape {@code tensor}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the two shapes do not match
   */
  default IndexPlan plan(Shape tensor, Shape indices) {
    if (this instanceof Tuples tuples) {
      return IndexPlan.tuples(tensor, indices, tuples.batchDims());
    }
    if (this instanceof Elements elements) {
      return IndexPlan.elements(tensor, indices, elements.axis());
    }
    if (this instanceof ElementsOrScalar elements) {
      return IndexPlan.elementsOrScalar(tensor, indices, elements.axis());
    }
    if (this instanceof AxisOrScalar across) {
      return IndexPlan.axisOrScalar(tensor, indices, across.axis());
    }
    return IndexPlan.axis(tensor, indices, ((Axis) this).axis());
  }
}
