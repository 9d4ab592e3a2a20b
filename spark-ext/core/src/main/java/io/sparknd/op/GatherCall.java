/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Optional;

/**
 * A gather, ready to be run on a tensor by any engine.
 *
 * @param how policies
 * @param where how the indices name slices
 * @param indices integers, of a shape that {@code where} asks for
 */
public record GatherCall(Gather how, Indexing where, Tensor indices) {

  /** A gather by index tuples {@code [..., k]}, with a result of {@code [...] + shape[k:]}. */
  public static GatherCall of(Gather how, Tensor indices) {
    return new GatherCall(how, Indexing.tuples(), indices);
  }

  /**
   * Checks the call against a tensor of this shape, before any index is looked at.
   *
   * @throws io.sparknd.tensor.SparkNdException if the shapes do not go together or the indices are
   *     not integers
   */
  public IndexPlan plan(Shape tensor) {
    IndexPlan plan = where.plan(tensor, indices.shape());
    if (!indices.dtype().isInteger()) {
      throw OperatorErrors.indicesNotIntegers(indices.dtype());
    }
    return plan;
  }

  /** What the policy puts where a tuple is bad; empty for zero, false or "". */
  public Optional<Object> fillValue() {
    return how.indices().bad() instanceof BadIndices.Fill fill
        ? Optional.of(fill.value())
        : Optional.empty();
  }
}
