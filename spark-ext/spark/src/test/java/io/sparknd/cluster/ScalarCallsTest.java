/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Onnx;
import io.sparknd.op.PyTorch;
import io.sparknd.op.Reduction;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests PyTorch's 0-d tensors, which count as vectors of one element, locally and on a cluster. The
 * results and rejected calls are those of PyTorch 2.13.0.
 */
class ScalarCallsTest {
  private static final Tensor SELF = scalar(1.5f);
  private static final Tensor ZERO = Tensor.of(Shape.of(), 0L);
  private static final Tensor SRC = scalar(2f);

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void gathersAcceptScalars(int dim) {
    gathers(SELF, PyTorch.gather(dim, ZERO), SELF);
    gathers(SELF, PyTorch.gather(dim, vector(0L, 0L)), vector(1.5f, 1.5f));
    gathers(vector(5f, 6f, 7f), PyTorch.gather(dim, Tensor.of(Shape.of(), 2L)), scalar(7f));
    gathers(SELF, PyTorch.gather(dim, Tensor.zeros(DType.INT64, Shape.of(0))), empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void scattersAcceptScalars(int dim) {
    scatters(SELF, PyTorch.scatter(dim, ZERO, SRC), SRC);
    scatters(SELF, PyTorch.scatterAdd(dim, ZERO, SRC), scalar(3.5f));
    scatters(SELF, PyTorch.scatter(dim, vector(0L), SRC), SRC);
    scatters(SELF, PyTorch.scatter(dim, ZERO, vector(2f, 9f)), SRC);
    scatters(SELF, PyTorch.scatterAdd(dim, vector(0L, 0L), vector(2f, 9f)), scalar(12.5f));
    scatters(vector(5f, 6f), PyTorch.scatter(dim, Tensor.of(Shape.of(), 1L), SRC), vector(5f, 2f));
    scatters(SELF, reduced(dim, Reduction.MUL, IncludeSelf.INCLUDED), scalar(3f));
    scatters(SELF, reduced(dim, Reduction.MEAN, IncludeSelf.INCLUDED), scalar(1.75f));
    scatters(SELF, reduced(dim, Reduction.MAX, IncludeSelf.EXCLUDED), SRC);
  }

  private static ScatterCall reduced(int dim, Reduction how, IncludeSelf self) {
    return PyTorch.scatterReduce(dim, ZERO, SRC, how, self);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void indexAddsAcceptScalars(int dim) {
    scatters(SELF, PyTorch.indexAdd(dim, ZERO, SRC), scalar(3.5f));
    scatters(SELF, PyTorch.indexAdd(dim, vector(0L), SRC, -2), scalar(-2.5f));
  }

  @Test
  void scalarCallsThatPyTorchRejectsAreRejected() {
    refused(SELF, PyTorch.indexAdd(0, ZERO, vector(2f)));
    refused(SELF, PyTorch.indexAdd(0, vector(0L, 0L), SRC));
    refused(vector(1f, 2f), PyTorch.indexAdd(0, ZERO, SRC));
    refused(SELF, PyTorch.scatter(1, ZERO, SRC));
    refused(SELF, PyTorch.scatter(0, Tensor.of(Shape.of(), 1L), SRC));
    refused(SELF, PyTorch.scatter(0, Tensor.of(Shape.of(), -1L), SRC));
    assertThatThrownBy(() -> PyTorch.scatter(0, vector(0L, 0L), SRC))
        .isInstanceOf(SparkNdException.class);
    assertThatThrownBy(
            () ->
                Kernels.auto()
                    .gather(Tensor.zeros(DType.FLOAT32, Shape.of(2, 2)), PyTorch.gather(0, ZERO)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("rank");
  }

  @Test
  void onnxRejectsScalars() {
    assertThatThrownBy(
            () -> Kernels.auto().gather(SELF, Onnx.gatherElements(13, DType.FLOAT32, 0, ZERO)))
        .isInstanceOf(SparkNdException.class);
  }

  private static void gathers(Tensor self, GatherCall call, Tensor expected) {
    assertSame(Kernels.auto().gather(self, call), expected);
    assertSame(distributed(self).gather(call).collect(), expected);
  }

  private static void scatters(Tensor self, ScatterCall call, Tensor expected) {
    assertSame(Kernels.auto().scatter(self, call), expected);
    assertSame(distributed(self).scatter(call).collect(), expected);
  }

  private static void refused(Tensor self, ScatterCall call) {
    assertThatThrownBy(() -> Kernels.auto().scatter(self, call))
        .isInstanceOf(SparkNdException.class);
  }

  private static DistributedTensor distributed(Tensor tensor) {
    return DistributedTensor.of(LocalSpark.session(), tensor, Partitioning.of(2));
  }

  private static Tensor scalar(float value) {
    return Tensor.of(Shape.of(), value);
  }

  private static Tensor empty() {
    return Tensor.zeros(DType.FLOAT32, Shape.of(0));
  }

  private static Tensor vector(float... values) {
    return Tensor.of(Shape.of(values.length), values);
  }

  private static Tensor vector(long... values) {
    return Tensor.of(Shape.of(values.length), values);
  }
}
