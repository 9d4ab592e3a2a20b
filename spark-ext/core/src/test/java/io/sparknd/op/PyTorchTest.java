/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static io.sparknd.oracle.TensorAssert.elements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.NaiveTensors;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the worked examples of PyTorch's documentation. */
class PyTorchTest {
  private static final Tensor SRC = Tensor.of(Shape.of(2, 5), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

  @Test
  void scatterUsesThePartOfSrcThatIndexCovers() {
    Tensor zeros = Tensor.zeros(DType.INT32, Shape.of(3, 5));
    assertSame(
        NaiveEngine.scatter(zeros, PyTorch.scatter(0, Tensor.of(Shape.of(1, 4), 0L, 1, 2, 0), SRC)),
        Tensor.of(Shape.of(3, 5), 1, 0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0));
    assertSame(
        NaiveEngine.scatter(
            zeros, PyTorch.scatter(1, Tensor.of(Shape.of(2, 3), 0L, 1, 2, 0, 1, 4), SRC)),
        Tensor.of(Shape.of(3, 5), 1, 2, 3, 0, 0, 6, 7, 0, 0, 8, 0, 0, 0, 0, 0));
  }

  @Test
  void scatterAddSums() {
    Tensor ones = Tensor.fill(DType.INT32, Shape.of(2, 5), 1);
    Tensor zeros = Tensor.zeros(DType.INT32, Shape.of(3, 5));
    Tensor index = Tensor.of(Shape.of(2, 5), 0L, 1, 2, 0, 0, 0, 1, 2, 2, 2);
    assertSame(
        NaiveEngine.scatter(zeros, PyTorch.scatterAdd(0, index, ones)),
        Tensor.of(Shape.of(3, 5), 2, 0, 0, 1, 1, 0, 2, 0, 0, 0, 0, 0, 2, 1, 1));
  }

  @Test
  void scatterReduceWithAndWithoutSelf() {
    Tensor src = Tensor.of(Shape.of(6), 1f, 2, 3, 4, 5, 6);
    Tensor index = Tensor.of(Shape.of(6), 0L, 1, 0, 1, 2, 1);
    Tensor input = Tensor.of(Shape.of(4), 1f, 2, 3, 4);
    assertSame(
        reduce(input, index, src, "sum", IncludeSelf.INCLUDED),
        Tensor.of(Shape.of(4), 5f, 14, 8, 4));
    assertSame(
        reduce(input, index, src, "sum", IncludeSelf.EXCLUDED),
        Tensor.of(Shape.of(4), 4f, 12, 5, 4));
    Tensor other = Tensor.of(Shape.of(4), 5f, 4, 3, 2);
    assertSame(
        reduce(other, index, src, "amax", IncludeSelf.INCLUDED),
        Tensor.of(Shape.of(4), 5f, 6, 5, 2));
    assertSame(
        reduce(other, index, src, "amax", IncludeSelf.EXCLUDED),
        Tensor.of(Shape.of(4), 3f, 6, 5, 2));
    assertSame(
        reduce(other, index, src, "amin", IncludeSelf.INCLUDED),
        Tensor.of(Shape.of(4), 1f, 2, 3, 2));
    assertSame(
        reduce(other, index, src, "prod", IncludeSelf.INCLUDED),
        Tensor.of(Shape.of(4), 15f, 192, 15, 2));
    assertSame(
        reduce(input, index, src, "mean", IncludeSelf.EXCLUDED),
        Tensor.of(Shape.of(4), 2f, 4, 5, 4));
  }

  @Test
  void integerMeansAreFloored() {
    Tensor index = Tensor.of(Shape.of(2), 0L, 0);
    Tensor src = Tensor.of(Shape.of(2), -2, -3);
    assertSame(
        reduce(Tensor.of(Shape.of(1), 0), index, src, "mean", IncludeSelf.EXCLUDED),
        Tensor.of(Shape.of(1), -3));
    assertSame(
        reduce(Tensor.of(Shape.of(1), 1), index, src, "mean", IncludeSelf.INCLUDED),
        Tensor.of(Shape.of(1), -2));
  }

  @Test
  void indexAddScalesItsSource() {
    Tensor ones = Tensor.fill(DType.FLOAT32, Shape.of(5, 3), 1);
    Tensor t = Tensor.of(Shape.of(3, 3), 1f, 2, 3, 4, 5, 6, 7, 8, 9);
    Tensor index = Tensor.of(Shape.of(3), 0L, 4, 2);
    Tensor added = NaiveEngine.scatter(ones, PyTorch.indexAdd(0, index, t));
    assertSame(added, Tensor.of(Shape.of(5, 3), 2f, 3, 4, 1, 1, 1, 8, 9, 10, 1, 1, 1, 5, 6, 7));
    assertSame(NaiveEngine.scatter(added, PyTorch.indexAdd(0, index, t, -1)), ones);
  }

  @Test
  void indexAddAlongAnInnerDimension() {
    Tensor zeros = Tensor.zeros(DType.INT32, Shape.of(2, 3));
    Tensor source = Tensor.of(Shape.of(2, 2), 1, 2, 3, 4);
    assertSame(
        NaiveEngine.scatter(zeros, PyTorch.indexAdd(-1, Tensor.of(Shape.of(2), 2L, 2), source, 10)),
        Tensor.of(Shape.of(2, 3), 0, 0, 30, 0, 0, 70));
    assertSame(
        NaiveEngine.scatter(
            zeros, PyTorch.indexAdd(1, Tensor.of(Shape.of(), 0L), Tensor.of(Shape.of(2, 1), 5, 6))),
        Tensor.of(Shape.of(2, 3), 5, 0, 0, 6, 0, 0));
    assertThatThrownBy(() -> PyTorch.indexAdd(0, Tensor.of(Shape.of(1, 1), 0L), source))
        .hasMessage("index has shape [1, 1]; index_add needs a vector or a scalar");
  }

  @Test
  void alphaMultipliesInTheArithmeticOfTheSource() {
    assertThat(scaled(DType.UINT8, 3, 100L)).containsExactly(44L);
    assertThat(scaled(DType.INT16, -2, 20_000L)).containsExactly(25_536L);
    assertThat(scaled(DType.INT64, 2, Long.MAX_VALUE)).containsExactly(-2L);
    assertThat(scaled(DType.FLOAT16, 3, 683f)).containsExactly(2048f);
    assertThat(scaled(DType.BFLOAT16, 1.5, 3f)).containsExactly(4.5f);
    assertThat(scaled(DType.FLOAT64, 0.1, 3.0)).containsExactly(0.1 * 3.0);
    assertThat(scaled(DType.FLOAT32, Float.POSITIVE_INFINITY, -2f))
        .containsExactly(Float.NEGATIVE_INFINITY);
    assertThat(scaled(DType.FLOAT16, Double.NEGATIVE_INFINITY, 2f))
        .containsExactly(Float.NEGATIVE_INFINITY);
    assertThat(scaled(DType.COMPLEX64, 2, new Complex(1, -1))).containsExactly(new Complex(2, -2));
  }

  @Test
  void alphaMustFitTheDType() {
    Tensor index = Tensor.of(Shape.of(1), 0L);
    assertThatThrownBy(() -> PyTorch.indexAdd(0, index, Tensor.of(Shape.of(1), 1), 0.5))
        .hasMessage("value 0.5 is not a int32");
    for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.COMPLEX64)) {
      Tensor zeros = Tensor.zeros(dtype, Shape.of(1));
      assertThatThrownBy(() -> PyTorch.indexAdd(0, index, zeros, 1e300))
          .hasMessage("value 1.0E300 is not a " + dtype);
    }
    BigDecimal nearlyOne = new BigDecimal("1.00000000000000000001");
    assertThatThrownBy(() -> PyTorch.indexAdd(0, index, Tensor.of(Shape.of(1), 1), nearlyOne))
        .hasMessageContaining("is not a int32");
    assertThatThrownBy(() -> PyTorch.indexAdd(0, index, Tensor.of(Shape.of(1), "a"), 2))
        .hasMessage("alpha 2 does not scale string values");
  }

  @Test
  void indexPutWrapsAndBroadcasts() {
    Shape shape = Shape.of(2, 3);
    Tensor zeros = Tensor.zeros(DType.INT32, shape);
    Tensor rows = AdvancedIndex.stack(Tensor.of(Shape.of(3), 0L, -1, 0));
    assertSame(
        NaiveEngine.scatter(
            zeros, PyTorch.indexPutAccumulate(shape, rows, Tensor.of(Shape.of(3), 1, 2, 3))),
        Tensor.of(shape, 2, 4, 6, 1, 2, 3));
    Tensor cells = AdvancedIndex.stack(Tensor.of(Shape.of(2), 0L, 1), Tensor.of(Shape.of(), 2L));
    assertSame(
        NaiveEngine.scatter(zeros, PyTorch.indexPut(shape, cells, Tensor.of(Shape.of(2), 7, 8))),
        Tensor.of(shape, 0, 0, 7, 0, 0, 8));
  }

  @Test
  void gathersAlongDim() {
    Tensor t = Tensor.of(Shape.of(2, 2), 1, 2, 3, 4);
    assertSame(
        NaiveEngine.gather(t, PyTorch.gather(1, Tensor.of(Shape.of(2, 2), 0L, 0, 1, 0))),
        Tensor.of(Shape.of(2, 2), 1, 1, 4, 3));
  }

  @Test
  void onlyIndexPutTakesNegatives() {
    Tensor minus = Tensor.of(Shape.of(1), -1L);
    Tensor one = Tensor.of(Shape.of(1), 1);
    IndexPolicy strict = IndexPolicy.STRICT.withRemedy(PolicyRemedy.NONE);
    assertThat(PyTorch.scatter(0, minus, one).how().indices()).isEqualTo(strict);
    assertThat(PyTorch.gather(0, minus).how().indices()).isEqualTo(strict);
    assertThat(PyTorch.indexAdd(0, minus, one).how().indices()).isEqualTo(strict);
    assertThat(PyTorch.indexSelect(0, minus).how().indices()).isEqualTo(strict);
    IndexPolicy wrapping = IndexPolicy.WRAPPING.withRemedy(PolicyRemedy.NONE);
    assertThat(PyTorch.indexPut(Shape.of(3), AdvancedIndex.stack(minus), one).how().indices())
        .isEqualTo(wrapping);
    assertThat(PyTorch.index(AdvancedIndex.stack(minus)).how().indices()).isEqualTo(wrapping);
  }

  @Test
  void messagesRecommendNoOption() {
    Tensor index = Tensor.of(Shape.of(1), 7L);
    Tensor one = Tensor.of(Shape.of(1), 1);
    Tensor three = Tensor.of(Shape.of(3), 1, 2, 3);
    assertThatThrownBy(() -> Kernels.auto().scatter(three, PyTorch.scatterAdd(0, index, one)))
        .hasMessage("indices[0] = [7] is out of bounds for axis 0 of shape [3]: correct it");
    Tensor minus = Tensor.of(Shape.of(1), -1L);
    assertThatThrownBy(() -> Kernels.auto().gather(three, PyTorch.gather(0, minus)))
        .hasMessage("indices[0] = [-1] is negative for axis 0 of shape [3]: correct it");
    assertThatThrownBy(
            () -> Kernels.auto().gather(three, PyTorch.index(AdvancedIndex.stack(index))))
        .hasMessage("indices[0] = [7] is out of bounds for shape [3]: correct it");
  }

  @Test
  void readsRowsAndSelectsAlongDim() {
    Tensor matrix = Tensor.of(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Tensor rows = Tensor.of(Shape.of(2), 1L, -1);
    assertSame(
        Kernels.auto().gather(matrix, PyTorch.index(AdvancedIndex.stack(rows))),
        Tensor.of(Shape.of(2, 3), 4, 5, 6, 4, 5, 6));
    Tensor columns = Tensor.of(Shape.of(2), 2L, 0);
    assertSame(
        Kernels.auto().gather(matrix, PyTorch.indexSelect(1, columns)),
        Tensor.of(Shape.of(2, 2), 3, 1, 6, 4));
    assertSame(
        Kernels.auto().gather(matrix, PyTorch.indexSelect(-2, Tensor.of(Shape.of(), 1L))),
        Tensor.of(Shape.of(1, 3), 4, 5, 6));
    Tensor scalar = Tensor.of(Shape.of(), 7);
    assertSame(
        Kernels.auto().gather(scalar, PyTorch.indexSelect(0, Tensor.of(Shape.of(1), 0L))), scalar);
    assertThatThrownBy(() -> PyTorch.indexSelect(0, Tensor.of(Shape.of(1, 1), 0L)))
        .hasMessage("index has shape [1, 1]; index_select needs a vector or a scalar");
  }

  /** By steps of the dtype, sums of ones end at 256 and 2048. */
  @ParameterizedTest
  @CsvSource({"BFLOAT16, 1000", "FLOAT16, 4096"})
  void halvesAreFoldedInFloat32(DType dtype, int count) {
    Tensor index = Tensor.zeros(DType.INT64, Shape.of(count));
    Tensor ones = Tensor.fill(dtype, Shape.of(count), 1);
    Tensor zero = Tensor.zeros(dtype, Shape.of(1));
    ScatterCall mean = PyTorch.scatterReduce(0, index, ones, Reduction.MEAN, IncludeSelf.EXCLUDED);
    for (Kernels kernels : List.of(Kernels.auto(), Kernels.named("scalar").withThreads(2))) {
      assertSame(kernels.scatter(zero, mean), Tensor.fill(dtype, Shape.of(1), 1));
      assertSame(
          kernels.scatter(zero, PyTorch.scatterAdd(0, index, ones)),
          Tensor.fill(dtype, Shape.of(1), count));
    }
    assertSame(NaiveEngine.scatter(zero, mean), Tensor.fill(dtype, Shape.of(1), 1));
  }

  @Test
  void refusesSrcSmallerThanIndex() {
    Tensor index = Tensor.zeros(DType.INT64, Shape.of(3, 2));
    assertThatThrownBy(() -> PyTorch.scatter(0, index, SRC))
        .hasMessage(
            "src has shape [2, 5]; index [3, 2] needs the same rank, and at least its size in"
                + " every dimension");
    assertThatThrownBy(() -> PyTorch.scatter(0, index, Tensor.of(Shape.of(3), 1, 2, 3)))
        .hasMessageStartingWith("src has shape [3]; index [3, 2] needs the same rank");
  }

  @Test
  void anIndexWithoutElementsMayHaveAnyRank() {
    Tensor none = Tensor.zeros(DType.INT64, Shape.of(0));
    Tensor tensor = Tensor.of(Shape.of(2, 2), 1, 2, 3, 4);
    assertSame(Kernels.auto().scatter(tensor, PyTorch.scatterAdd(1, none, SRC)), tensor);
    assertSame(
        Kernels.auto().gather(tensor, PyTorch.gather(0, none)),
        Tensor.zeros(DType.INT32, Shape.of(0)));
    Tensor scalar = Tensor.of(Shape.of(), 7);
    Tensor wide = Tensor.zeros(DType.INT64, Shape.of(0, 2));
    assertSame(Kernels.auto().scatter(scalar, PyTorch.scatterAdd(0, wide, SRC)), scalar);
    assertThatThrownBy(() -> Kernels.auto().gather(tensor, PyTorch.gather(2, none)))
        .hasMessageContaining("axis is 2");
  }

  @Test
  void scalarsCountAsVectorsOfOneElement() {
    Tensor tensor = Tensor.of(Shape.of(3), 1, 2, 3);
    Tensor src = Tensor.of(Shape.of(2), 7, 8);
    Tensor one = Tensor.of(Shape.of(), 1L);
    Tensor scalar = Tensor.of(Shape.of(), 9);
    assertSame(
        Kernels.auto().scatter(tensor, PyTorch.scatter(0, one, src)),
        Tensor.of(Shape.of(3), 1, 7, 3));
    assertSame(
        Kernels.auto().scatter(tensor, PyTorch.scatter(0, Tensor.of(Shape.of(1), 1L), scalar)),
        Tensor.of(Shape.of(3), 1, 9, 3));
    Tensor zero = Tensor.of(Shape.of(1), 0L);
    assertSame(
        Kernels.auto().scatter(scalar, PyTorch.scatter(0, zero, src)), Tensor.of(Shape.of(), 7));
    assertThatThrownBy(() -> PyTorch.scatter(0, Tensor.of(Shape.of(2), 0L, 1), scalar))
        .hasMessageStartingWith("src has shape [1]; index [2]");
    assertSame(Kernels.auto().gather(tensor, PyTorch.gather(0, one)), Tensor.of(Shape.of(), 2));
  }

  @Test
  void rejectsUnknownReductions() {
    assertThatThrownBy(
            () -> PyTorch.scatterReduce(0, SRC, SRC, Reduction.SUB, IncludeSelf.INCLUDED))
        .hasMessage(
            "PyTorch's scatter_reduce has no reduce 'sub'; it has sum, prod, mean, amax, amin");
    assertThatThrownBy(() -> PyTorch.reduction("add"))
        .hasMessage("reduce 'add' is unknown; use one of sum, prod, mean, amax, amin");
  }

  private static Tensor reduce(
      Tensor input, Tensor index, Tensor src, String reduce, IncludeSelf self) {
    return NaiveEngine.scatter(
        input, PyTorch.scatterReduce(0, index, src, PyTorch.reduction(reduce), self));
  }

  private static List<Object> scaled(DType dtype, Number alpha, Object value) {
    Tensor source = NaiveTensors.of(dtype, new long[] {1}, List.of(value));
    return elements(PyTorch.indexAdd(0, Tensor.of(Shape.of(1), 0L), source, alpha).updates());
  }
}
