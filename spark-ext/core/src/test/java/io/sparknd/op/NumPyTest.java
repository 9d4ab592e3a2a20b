/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tests the worked examples of {@code numpy.ufunc.at} and similar ones. */
class NumPyTest {
  private static final Shape FOUR = Shape.of(4);
  private static final Tensor A = Tensor.of(FOUR, 1, 2, 3, 4);
  private static final Tensor ONE = Tensor.of(Shape.of(), 1);

  @Test
  void addsOncePerIndex() {
    assertSame(run(NumPy.addAt(FOUR, at(0, 1, 2, 2), ONE)), Tensor.of(FOUR, 2, 3, 5, 4));
    Tensor pair = Tensor.of(Shape.of(2), 1, 2);
    assertSame(run(NumPy.addAt(FOUR, at(0, 1), pair)), Tensor.of(FOUR, 2, 4, 3, 4));
  }

  @Test
  void readsSlices() {
    Tensor matrix = Tensor.of(Shape.of(2, 2), 1, 2, 3, 4);
    Tensor rows = AdvancedIndex.stack(Tensor.of(Shape.of(2), 1, -1));
    assertSame(
        NaiveEngine.gather(matrix, NumPy.index(rows)), Tensor.of(Shape.of(2, 2), 3, 4, 3, 4));
    Tensor cells = AdvancedIndex.stack(Tensor.of(Shape.of(2), 0, 1), Tensor.of(Shape.of(), -1));
    assertSame(Kernels.auto().gather(matrix, NumPy.index(cells)), Tensor.of(Shape.of(2), 2, 4));
    assertThatThrownBy(() -> Kernels.auto().gather(matrix, NumPy.index(at(2))))
        .hasMessage("indices[0] = [2] is out of bounds for shape [2, 2]: correct it");
  }

  @Test
  void countsNegativesFromTheEnd() {
    assertSame(run(NumPy.subtractAt(FOUR, at(-1, -1), ONE)), Tensor.of(FOUR, 1, 2, 3, 2));
    assertThatThrownBy(() -> run(NumPy.subtractAt(FOUR, at(0, -5), ONE)))
        .hasMessage("indices[1] = [-5]");
  }

  @Test
  void multipliesAndKeepsExtremes() {
    Tensor three = Tensor.of(Shape.of(1), 3);
    assertSame(run(NumPy.multiplyAt(FOUR, at(1, 1), three)), Tensor.of(FOUR, 1, 18, 3, 4));
    assertSame(run(NumPy.minimumAt(FOUR, at(0, 3), three)), Tensor.of(FOUR, 1, 2, 3, 3));
    assertSame(run(NumPy.maximumAt(FOUR, at(0, 3), three)), Tensor.of(FOUR, 3, 2, 3, 4));
  }

  @Test
  void fminAndFmaxSkipNan() {
    Tensor data = Tensor.of(Shape.of(2), Float.NaN, 1);
    Tensor values = Tensor.of(Shape.of(2), 5, Float.NaN);
    Tensor both = at(0, 1);
    Shape two = Shape.of(2);
    assertSame(NaiveEngine.scatter(data, NumPy.fminAt(two, both, values)), Tensor.of(two, 5f, 1));
    assertSame(NaiveEngine.scatter(data, NumPy.fmaxAt(two, both, values)), Tensor.of(two, 5f, 1));
    assertSame(
        NaiveEngine.scatter(data, NumPy.minimumAt(two, both, values)),
        Tensor.of(two, Float.NaN, Float.NaN));
  }

  @Test
  void assignsTheLastValue() {
    Tensor values = Tensor.of(Shape.of(3), 7, 8, 9);
    assertSame(run(NumPy.setItem(FOUR, at(1, 0, 1), values)), Tensor.of(FOUR, 8, 9, 3, 4));
  }

  @Test
  void assignmentIgnoresLeadingDimensionsOfSizeOne() {
    Tensor values = Tensor.of(Shape.of(1, 1, 2), 7, 8);
    assertSame(run(NumPy.setItem(FOUR, at(0, 1), values)), Tensor.of(FOUR, 7, 8, 3, 4));
    Tensor one = Tensor.of(Shape.of(1, 1), 7);
    assertSame(run(NumPy.setItem(FOUR, at(0), one)), Tensor.of(FOUR, 7, 2, 3, 4));
    assertThatThrownBy(() -> NumPy.addAt(FOUR, at(0, 1), values))
        .hasMessageStartingWith("shape [1, 1, 2] does not broadcast to [2]");
  }

  @Test
  void parsesUfuncNames() {
    assertThat(NumPy.reduction("subtract")).isEqualTo(Reduction.SUB);
    assertThat(NumPy.reduction("minimum")).isEqualTo(Reduction.MIN);
    assertThat(NumPy.reduction("fmax")).isEqualTo(Reduction.FMAX);
    assertThatThrownBy(() -> NumPy.reduction("power"))
        .hasMessage(
            "ufunc 'power' is unknown; use one of add, subtract, multiply, divide, minimum,"
                + " maximum, fmin, fmax");
    assertThatThrownBy(() -> NumPy.at(Reduction.MEAN, FOUR, at(0), ONE))
        .hasMessageStartingWith("NumPy's ufunc.at has no ufunc 'mean'; it has add");
  }

  private static Tensor at(long... indices) {
    return AdvancedIndex.stack(Tensor.of(Shape.of(indices.length), indices));
  }

  private static Tensor run(ScatterCall call) {
    return NaiveEngine.scatter(A, call);
  }
}
