/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Optional;

/**
 * A gather that any engine can run on a tensor.
 *
 * @param how index policies
 * @param where how the indices name slices
 * @param indices integers, of a shape that {@code where} accepts
 */
public record GatherCall(Gather how, Indexing where, Tensor indices) {

  /** Gathers by index tuples {@code [..., k]}; the result has shape {@code [...] + shape[k:]}. */
  public static GatherCall of(Gather how, Tensor indices) {
    return new GatherCall(how, Indexing.tuples(), indices);
  }

  /**
   * Checks the call against a tensor of this shape, before any index value is read.
   *
   * @throws io.sparknd.tensor.SparkNdException if the shapes do not match or the indices are not
   *     integers
   */
  public IndexPlan plan(Shape tensor) {
    IndexPlan plan = where.plan(tensor, indices.shape());
    if (!indices.dtype().isInteger()) {
      throw OperatorErrors.indicesNotIntegers(indices.dtype());
    }
    return plan;
  }

  /**
   * Returns the value that the policy yields for a bad tuple; empty for zero, false or "".
   *
   * @param dtype the dtype of the tensor that the call runs on
   */
  public Optional<Object> fillValue(DType dtype) {
    return how.indices().bad() instanceof BadIndices.Fill fill
        ? Optional.of(fill.value(dtype))
        : Optional.empty();
  }
}
