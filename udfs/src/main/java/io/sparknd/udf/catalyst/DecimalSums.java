/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.row.SingleRowScatter;

/** Checks that sums of decimals, computed in int64, cannot overflow in an intermediate step. */
final class DecimalSums {
  private DecimalSums() {}

  /**
   * Checks the sums of a call.
   *
   * @param indices their slots are the updates
   * @throws io.sparknd.tensor.SparkNdException if the sum of an element and some of the updates may
   *     exceed int64
   */
  static void check(
      ElementType element,
      Scatter how,
      Indexing where,
      Tensor tensor,
      Tensor indices,
      Tensor updates) {
    boolean isSum = how.reduction() == Reduction.ADD || how.reduction() == Reduction.SUB;
    if (!element.isDecimal() || !isSum) {
      return;
    }
    long slots = where.plan(tensor.shape(), indices.shape()).slots();
    long largest = largest(updates);
    long most = Long.MAX_VALUE - largest(tensor);
    if (largest > 0 && slots > most / largest) {
      long ofOne = updatesOfOne(how, where, tensor, indices, updates);
      if (ofOne > most / largest) {
        throw UdfErrors.decimalSumTooLong(ofOne, element.decimal().sql());
      }
    }
  }

  /** Returns how many updates an element has at most. */
  private static long updatesOfOne(
      Scatter how, Indexing where, Tensor tensor, Tensor indices, Tensor updates) {
    SingleRowScatter count = new SingleRowScatter(Scatter.add().withIndices(how.indices()), where);
    return largest(
        count.into(
            Tensor.zeros(DType.INT64, tensor.shape()),
            indices,
            Tensor.fill(DType.INT64, updates.shape(), 1L)));
  }

  private static long largest(Tensor tensor) {
    long largest = 0;
    for (long value : (long[]) tensor.array()) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
