/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tests scatters in place whose updates are the elements of the target. */
class SharedArraysTest {
  @Test
  void updatesAreThoseBeforeTheCall() {
    for (Kernels kernels : TestedKernels.all()) {
      Tensor target = Tensor.of(Shape.of(4), new float[] {1, 2, 3, 4});
      Tensor indices = Tensor.of(Shape.of(4, 1), new long[] {1, 2, 3, 0});
      ScatterCall call = ScatterCall.of(Scatter.update(), indices, target.reshape(Shape.of(4)));
      Tensor copied = kernels.scatter(target, call);
      kernels.scatterInPlace(target, call);
      TensorAssert.assertSameBits(target, copied);
      assertThat((float[]) target.array()).containsExactly(4, 1, 2, 3);
    }
  }
}
