/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the oracle against values computed by hand. */
class NaiveEngineTest {
  private static final Shape SCALAR_SLOTS = Shape.of(2, 1);

  @Test
  void appliesDuplicatesInOrder() {
    Tensor data = Tensor.of(Shape.of(3), 1, 2, 3);
    assertThat(scatter(data, Scatter.update(), 10, 20)).containsExactly(1L, 20L, 3L);
    assertThat(scatter(data, Scatter.sub(), 10, 20)).containsExactly(1L, -28L, 3L);
    assertThat(scatter(data, Scatter.mul(), 10, 20)).containsExactly(1L, 400L, 3L);
  }

  @Test
  void meansIncludeOrExcludeTheElement() {
    Tensor data = Tensor.of(Shape.of(3), 1, -9, 3);
    assertThat(scatter(data, Scatter.mean(), 1, 1)).containsExactly(1L, -3L, 3L);
    assertThat(scatter(data, Scatter.mean(), 1, 2)).containsExactly(1L, -2L, 3L);
    assertThat(scatter(data, Scatter.mean().withSelf(IncludeSelf.EXCLUDED), 1, 2))
        .containsExactly(1L, 1L, 3L);
  }

  @Test
  void wrapsUnsignedIntegers() {
    assertThat(step(DType.UINT8, Reduction.ADD, 250L, 10L)).isEqualTo(4L);
    assertThat(step(DType.UINT64, Reduction.SUB, BigInteger.ZERO, BigInteger.ONE))
        .isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(step(DType.INT8, Reduction.ADD, 127L, 1L)).isEqualTo(-128L);
    assertThat(step(DType.UINT8, Reduction.MIN, 200L, 100L)).isEqualTo(100L);
  }

  @Test
  void roundsHalvesToEven() {
    assertThat(step(DType.FLOAT16, Reduction.ADD, 2048f, 1f)).isEqualTo(2048f);
    assertThat(step(DType.FLOAT16, Reduction.ADD, 2050f, 1f)).isEqualTo(2052f);
    assertThat(step(DType.FLOAT16, Reduction.ADD, 65504f, 16f)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(step(DType.BFLOAT16, Reduction.ADD, 256f, 1f)).isEqualTo(256f);
  }

  @Tag("slow")
  @Test
  void agreesWithTheBitsOfHalves() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (!Float.isNaN(value)) {
        assertThat(NaiveArithmetic.Half.FLOAT16.bits(NaiveArithmetic.Half.FLOAT16.round(value)))
            .isEqualTo(HalfFloats.toFloat16(value));
        assertThat(NaiveArithmetic.Half.BFLOAT16.bits(NaiveArithmetic.Half.BFLOAT16.round(value)))
            .isEqualTo(HalfFloats.toBfloat16(value));
      }
    }
  }

  @Test
  void propagatesOrSkipsNan() {
    assertThat(step(DType.FLOAT64, Reduction.MIN, 1.0, Double.NaN)).isEqualTo(Double.NaN);
    assertThat(step(DType.FLOAT64, Reduction.FMIN, Double.NaN, 1.0)).isEqualTo(1.0);
    assertThat(step(DType.FLOAT64, Reduction.MAX, -0.0, 0.0)).isEqualTo(0.0);
    assertThat(step(DType.FLOAT64, Reduction.ADD, -0.0, -0.0)).isEqualTo(-0.0);
  }

  @Test
  void multipliesAndDividesComplex() {
    Complex x = new Complex(1, 2);
    Complex y = new Complex(3, -4);
    assertThat(step(DType.COMPLEX64, Reduction.MUL, x, y)).isEqualTo(new Complex(11, 2));
    assertThat(step(DType.COMPLEX128, Reduction.DIV, new Complex(11, 2), new Complex(0, 2)))
        .isEqualTo(new Complex(1, -5.5));
  }

  @Test
  void readsBoolsAndStrings() {
    assertThat(step(DType.BOOL, Reduction.ADD, false, true)).isEqualTo(true);
    assertThat(step(DType.BOOL, Reduction.MUL, true, false)).isEqualTo(false);
    assertThat(step(DType.STRING, Reduction.ADD, "ab", "c")).isEqualTo("abc");
    assertThat(step(DType.STRING, Reduction.MIN, "ab", "a")).isEqualTo("a");
    // U+1F600 is larger than U+E000, though its first char is smaller
    assertThat(step(DType.STRING, Reduction.MAX, "\ud83d\ude00", "\ue000"))
        .isEqualTo("\ud83d\ude00");
  }

  @Test
  void namesTheLowestBadPosition() {
    Tensor indices = Tensor.of(Shape.of(2, 2, 1), 0, 5, 9, 0);
    ScatterCall call =
        ScatterCall.of(Scatter.add(), indices, Tensor.of(Shape.of(2, 2), 1, 1, 1, 1));
    assertThatThrownBy(() -> NaiveEngine.scatter(Tensor.of(Shape.of(3), 0, 0, 0), call))
        .isInstanceOf(Refusal.class)
        .hasMessage("indices[0, 1] = [5]");
  }

  @Test
  void namesTheFirstDuplicate() {
    Scatter unique = Scatter.add().withDuplicates(Duplicates.ERROR);
    ScatterCall call = call(unique, 10, 20);
    assertThatThrownBy(() -> NaiveEngine.scatter(Tensor.of(Shape.of(3), 0, 0, 0), call))
        .hasMessage("indices[1] repeats indices[0]");
  }

  @Test
  void gathersAlongAnAxis() {
    Tensor data = Tensor.of(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Gather how =
        Gather.strict()
            .withBadIndices(BadIndices.fill(-1))
            .withNegativeIndices(NegativeIndices.WRAP);
    Tensor columns =
        NaiveEngine.gather(
            data, new GatherCall(how, new Indexing.Axis(-1), Tensor.of(Shape.of(2), -1, 3)));
    assertThat(columns).isEqualTo(Tensor.of(Shape.of(2, 2), 3, -1, 6, -1));
  }

  @Test
  void gathersElementsAndBatches() {
    Tensor data = Tensor.of(Shape.of(2, 2), 1, 2, 3, 4);
    Tensor elements =
        NaiveEngine.gather(
            data,
            new GatherCall(
                Gather.strict(), new Indexing.Elements(1), Tensor.of(Shape.of(2, 2), 0, 0, 1, 0)));
    assertThat(elements).isEqualTo(Tensor.of(Shape.of(2, 2), 1, 1, 4, 3));
    Tensor batched =
        NaiveEngine.gather(
            data,
            new GatherCall(
                Gather.strict(), new Indexing.Tuples(1), Tensor.of(Shape.of(2, 1), 1, 0)));
    assertThat(batched).isEqualTo(Tensor.of(Shape.of(2), 2, 3));
  }

  private static Object step(DType dtype, Reduction reduction, Object a, Object b) {
    return NaiveArithmetic.apply(dtype, reduction, a, b);
  }

  /** Returns a call with two updates of element 1. */
  private static ScatterCall call(Scatter how, int... updates) {
    return ScatterCall.of(how, Tensor.of(SCALAR_SLOTS, 1, 1), Tensor.of(Shape.of(2), updates));
  }

  private static List<Object> scatter(Tensor data, Scatter how, int... updates) {
    return TensorAssert.elements(NaiveEngine.scatter(data, call(how, updates)));
  }
}
