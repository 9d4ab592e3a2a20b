/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.tensor.DType;

/**
 * How index tuples are interpreted.
 *
 * @param dtype the dtype of the indices
 * @param depth the length of a tuple
 */
record TupleRule(DType dtype, int depth, IndexPolicy policy) {
  /** The code of the policy for negative indices in {@link Native#scatterRows}. */
  int negative() {
    return switch (policy.negative()) {
      case ERROR -> 0;
      case WRAP -> 1;
      case OUT_OF_BOUNDS -> 2;
    };
  }

  /** The code of the policy for out-of-bounds indices in {@link Native#scatterRows}. */
  int bad() {
    if (policy.bad() instanceof BadIndices.Ignore) {
      return 1;
    }
    return policy.bad() instanceof BadIndices.Clip ? 2 : 0;
  }
}
