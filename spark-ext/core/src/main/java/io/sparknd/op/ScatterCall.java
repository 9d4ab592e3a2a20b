/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * A scatter, ready to be run on a tensor by any engine.
 *
 * @param how reduction and policies
 * @param where how the indices name slices
 * @param indices integers, of a shape that {@code where} asks for
 * @param updates the dtype of the tensor; shape: one slice a slot of the indices
 */
public record ScatterCall(Scatter how, Indexing where, Tensor indices, Tensor updates) {

  /** A scatter by index tuples {@code [..., k]}, with updates {@code [...] + shape[k:]}. */
  public static ScatterCall of(Scatter how, Tensor indices, Tensor updates) {
    return new ScatterCall(how, Indexing.tuples(), indices, updates);
  }

  /**
   * Checks the call against a tensor of this dtype and shape, before any index is looked at.
   *
   * @throws io.sparknd.tensor.SparkNdException if dtypes or shapes do not go together, or the
   *     reduction is not defined for the dtype
   */
  public IndexPlan plan(DType dtype, Shape tensor) {
    IndexPlan plan = where.plan(tensor, indices.shape());
    if (!updates.shape().equals(plan.updates())) {
      throw OperatorErrors.updatesShape(updates.shape(), indices.shape(), tensor, plan.updates());
    }
    if (updates.dtype() != dtype) {
      throw OperatorErrors.updatesDType(updates.dtype(), dtype);
    }
    if (!indices.dtype().isInteger()) {
      throw OperatorErrors.indicesNotIntegers(indices.dtype());
    }
    check(how, dtype);
    return plan;
  }

  /**
   * Checks what does not depend on shapes.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the dtype, or
   *     the policies are a gather's
   */
  public static void check(Scatter how, DType dtype) {
    if (!how.reduction().isDefinedFor(dtype)) {
      throw OperatorErrors.reductionNotDefined(how.reduction().toString(), dtype);
    }
    if (how.indices().bad() instanceof BadIndices.Fill) {
      throw OperatorErrors.fillInScatter();
    }
  }
}
