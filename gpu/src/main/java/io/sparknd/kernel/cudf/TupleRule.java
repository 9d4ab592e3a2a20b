/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.tensor.DType;

/**
 * How index tuples are read.
 *
 * @param dtype of the indices
 * @param depth values in each tuple
 */
record TupleRule(DType dtype, int depth, IndexPolicy policy) {
  /** As {@link Native#scatterRows} has it. */
  int negative() {
    return switch (policy.negative()) {
      case ERROR -> 0;
      case WRAP -> 1;
      case OUT_OF_BOUNDS -> 2;
    };
  }

  /** As {@link Native#scatterRows} has it. */
  int bad() {
    if (policy.bad() instanceof BadIndices.Ignore) {
      return 1;
    }
    return policy.bad() instanceof BadIndices.Clip ? 2 : 0;
  }
}
