/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests folds of float16 and bfloat16 in float32, of many and of long slices. */
class HalfFoldTest {
  /**
   * More rows than one array of rows has, and slices longer than an array.
   *
   * @param units length of a slice
   */
  @ParameterizedTest
  @CsvSource({
    "FLOAT16, MEAN, INCLUDED, 20000, 1, 40000",
    "BFLOAT16, MEAN, EXCLUDED, 20000, 1, 40000",
    "BFLOAT16, ADD, INCLUDED, 3, 17000, 5",
    "FLOAT16, MUL, EXCLUDED, 3, 17000, 5",
    "FLOAT16, SUB, INCLUDED, 7, 20, 3000",
    "BFLOAT16, DIV, EXCLUDED, 7, 20, 3000",
  })
  void matchesTheOracle(
      DType dtype, Reduction reduction, IncludeSelf self, int slices, int units, int updates) {
    Random random = new Random(units);
    Tensor data = RandomCalls.tensor(dtype, Shape.of(slices, units), random);
    Tensor values = RandomCalls.tensor(dtype, Shape.of(updates, units), random);
    long[] rows = random.longs(updates, 0, slices).toArray();
    Tensor indices = Tensor.wrap(DType.INT64, Shape.of(updates, 1), rows);
    Scatter how = Scatter.of(reduction).withSelf(self).withRounding(HalfRounding.ONCE);
    ScatterCall call = ScatterCall.of(how, indices, values);
    Tensor expected = NaiveEngine.scatter(data, call);
    for (String provider : TestedKernels.names()) {
      Kernels kernels = Kernels.named(provider);
      for (Kernels any : List.of(kernels, kernels.withThreads(3))) {
        TensorAssert.assertSame(any.scatter(data, call), expected);
        TensorAssert.assertSame(any.withSorting(ThreadsTest.ALWAYS).scatter(data, call), expected);
      }
    }
  }
}
