/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.PyTorch;
import io.sparknd.op.Reduction;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that means and sums of float16 and bfloat16 round once at any number of partitions. */
class HalfMeanTest {
  /** By steps of the dtype, sums of ones end at 256 and 2048. */
  @ParameterizedTest
  @CsvSource({"BFLOAT16, 1000", "FLOAT16, 4096"})
  void meanOfManyOnesIsOne(DType dtype, int count) {
    Tensor index = Tensor.zeros(DType.INT64, Shape.of(count));
    Tensor ones = Tensor.fill(dtype, Shape.of(count), 1);
    DistributedTensor zeros = zeros(dtype, Shape.of(5), 3);
    TensorAssert.assertSame(
        zeros
            .scatter(PyTorch.scatterReduce(0, index, ones, Reduction.MEAN, IncludeSelf.EXCLUDED))
            .collect(),
        first(dtype, 1));
    TensorAssert.assertSame(
        zeros.scatter(PyTorch.scatterAdd(0, index, ones)).collect(), first(dtype, count));
  }

  private static Tensor first(DType dtype, Number value) {
    Tensor index = Tensor.of(Shape.of(1), 0L);
    Tensor values = Tensor.fill(dtype, Shape.of(1), value);
    return NaiveEngine.scatter(Tensor.zeros(dtype, Shape.of(5)), PyTorch.scatter(0, index, values));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void bitsAreTheSameAtAnyNumberOfPartitions(DType dtype) {
    Random random = new Random(dtype.ordinal());
    Shape shape = Shape.of(40, 3);
    Shape many = Shape.of(500, 3);
    Tensor indices = Tensor.wrap(DType.INT64, many, random.longs(1500, 0, 40).toArray());
    Tensor values = RandomCalls.tensor(dtype, many, random);
    for (Reduction reduction : new Reduction[] {Reduction.MEAN, Reduction.ADD, Reduction.MUL}) {
      ScatterCall call = PyTorch.scatterReduce(0, indices, values, reduction, IncludeSelf.INCLUDED);
      Tensor expected = NaiveEngine.scatter(Tensor.zeros(dtype, shape), call);
      for (int partitions : new int[] {1, 2, 7}) {
        TensorAssert.assertSame(zeros(dtype, shape, partitions).scatter(call).collect(), expected);
      }
    }
  }

  private static DistributedTensor zeros(DType dtype, Shape shape, int partitions) {
    return DistributedTensor.zeros(
        LocalSpark.session(), dtype, shape, new Partitioning(partitions, 16));
  }
}
