/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;

/** Layouts of rows with float32 state, no usage and initial weights from -1 to 1. */
final class TestLayouts {
  private TestLayouts() {}

  static RowLayout of(DType dtype, int dim, Optimizer optimizer, RowAdmission admission) {
    return new RowLayout(
        dtype,
        dim,
        optimizer.slots(),
        DType.FLOAT32,
        Initializer.uniform(-1, 1, 3),
        WeightRounding.NEAREST,
        RowUsage.NOTHING,
        admission);
  }
}
