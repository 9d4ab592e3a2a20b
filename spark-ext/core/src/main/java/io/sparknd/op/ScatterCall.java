/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * A scatter that any engine can run on a tensor.
 *
 * @param how the reduction and the policies
 * @param where how the indices name slices
 * @param indices integers, of a shape that {@code where} accepts
 * @param updates of the tensor's dtype, with one slice per slot of the indices
 */
public record ScatterCall(Scatter how, Indexing where, Tensor indices, Tensor updates) {

  /** Scatters by index tuples {@code [..., k]}, with updates {@code [...] + shape[k:]}. */
  public static ScatterCall of(Scatter how, Tensor indices, Tensor updates) {
    return new ScatterCall(how, Indexing.tuples(), indices, updates);
  }

  /**
   * Checks the call against a tensor of this dtype and shape, before any index value is read.
   *
   * @throws io.sparknd.tensor.SparkNdException if dtypes or shapes do not match, the indices are
   *     not integers, the reduction is not defined for the dtype, or the policy is for gathers
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
   * Checks the reduction and the policies, which do not depend on shapes.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the dtype, or
   *     the policy is for gathers, {@link BadIndices#fill}
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
