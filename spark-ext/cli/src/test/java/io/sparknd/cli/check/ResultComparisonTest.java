/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the comparison of results with expectations. The cases gather all of {@code data}, so that
 * the result is {@code data}.
 */
class ResultComparisonTest {
  @TempDir Path directory;

  private static Tensor scalar(float value) {
    return Tensor.of(Shape.of(1), value);
  }

  private static CaseFiles reading(Tensor data) {
    return CaseFiles.of("gather_nd").data(data).indices(Tensor.of(Shape.of(1, 1), 0L));
  }

  private boolean passes(CaseFiles files) {
    return run(files).equals(new CaseVerdict.Passed());
  }

  private CaseVerdict run(CaseFiles files) {
    return CaseRuns.locally().run(files.write(directory, "case"));
  }

  @ParameterizedTest
  @CsvSource({
    "exact, 1, 1, true",
    "exact, 1, 1.0000001, false",
    "exact, NaN, NaN, true",
    "exact, 0, -0.0, false",
    "bits, NaN, NaN, true",
    "bits, 0, -0.0, false",
    "zero_sign_any, 0, -0.0, true",
    "zero_sign_any, 1, -1, false",
    "zero_sign_any, NaN, NaN, true",
    "close, 100, 100.9, true",
    "close, 100, 101.2, false",
    "close, 0, 0.05, true",
    "close, 0, 0.2, false",
    "close, NaN, 1, false",
    "close, 1, NaN, false",
    "close, Infinity, Infinity, true",
    "close, Infinity, 1, false",
  })
  void comparesElements(String compare, float expected, float actual, boolean same) {
    CaseFiles files =
        reading(scalar(actual)).expected(scalar(expected)).attribute("compare", compare);
    if (compare.equals("close")) {
      files.attribute("rtol", 0.01).attribute("atol", 0.1);
    }

    assertThat(passes(files)).isEqualTo(same);
  }

  @Test
  void realAndImaginaryPartsAreComparedSeparately() {
    Shape one = Shape.of(1);
    Tensor data = Tensor.wrap(DType.COMPLEX64, one, new float[] {1, -0f});
    Tensor other = Tensor.wrap(DType.COMPLEX64, one, new float[] {1, 0f});

    assertThat(passes(reading(data).expected(data))).isTrue();
    assertThat(passes(reading(data).expected(other))).isFalse();
    assertThat(passes(reading(data).expected(other).attribute("compare", "zero_sign_any")))
        .isTrue();
  }

  @Test
  void largeIntegersAreComparedExactly() {
    Tensor data = Tensor.of(Shape.of(1), (1L << 62) + 1);
    Tensor near = Tensor.of(Shape.of(1), 1L << 62);

    assertThat(passes(reading(data).expected(near).attribute("compare", "close"))).isFalse();
    assertThat(
            passes(reading(data).expected(near).attribute("compare", "close").attribute("atol", 1)))
        .isTrue();
  }

  @Test
  void dtypeAndShapeCount() {
    Tensor data = Tensor.of(Shape.of(1), 1);

    assertThat(passes(reading(data).expected(Tensor.of(Shape.of(1), 1L)))).isFalse();
    assertThat(passes(reading(data).expected(Tensor.of(Shape.of(1, 1), 1)))).isFalse();
  }

  @Test
  void anAlternativePasses() {
    CaseFiles files =
        reading(scalar(2))
            .expected(scalar(1))
            .attribute("alternatives", List.of(List.of(5.0), List.of(2)));

    assertThat(passes(files)).isTrue();
    assertThat(passes(files.data(scalar(3)))).isFalse();
  }

  @Test
  void alternativesMaySpellInfinityAsAString() {
    CaseFiles files =
        reading(scalar(Float.NEGATIVE_INFINITY))
            .expected(scalar(1))
            .attribute("alternatives", List.of(List.of("-inf")));

    assertThat(passes(files)).isTrue();
  }

  @Test
  void anAlternativeOfAnotherLengthIsMalformed() {
    CaseFiles files =
        reading(scalar(2)).expected(scalar(1)).attribute("alternatives", List.of(List.of(1, 2)));

    assertThat(run(files).toString()).contains("an alternative has 2 elements, not the 1");
  }

  @Test
  void bfloat16IsReadFromItsBits() {
    // 0x4049 is 3.140625
    Tensor bits = Tensor.wrap(DType.UINT16, Shape.of(1), new short[] {0x4049});
    CaseFiles files =
        CaseFiles.of("tensor_scatter_nd_add")
            .attribute("dtypes", Map.of("data", "bfloat16", "updates", "bfloat16"))
            .data(bits)
            .indices(Tensor.of(Shape.of(1, 1), 0L))
            .updates(Tensor.wrap(DType.UINT16, Shape.of(1), new short[] {0x4049}))
            .expected(Tensor.wrap(DType.UINT16, Shape.of(1), new short[] {0x40c9}));

    assertThat(run(files)).isEqualTo(new CaseVerdict.Passed());
  }

  @Test
  void stringsAreCompared() {
    Tensor data = Tensor.of(Shape.of(1), "ä");

    assertThat(passes(reading(data).expected(data))).isTrue();
    assertThat(passes(reading(data).expected(Tensor.of(Shape.of(1), "b")))).isFalse();
  }

  @Test
  void repeatedRunsMustGiveTheSameBytes() {
    CaseFiles files = reading(scalar(1)).expected(scalar(1)).attribute("repeat_identical", true);

    assertThat(CaseRuns.everywhere(1, 3).run(files.write(directory, "case")))
        .isEqualTo(new CaseVerdict.Passed());
    CaseOutcome.Result zero = new CaseOutcome.Result(scalar(0f));
    assertThat(zero.hasBytesOf(new CaseOutcome.Result(scalar(0f)))).isTrue();
    assertThat(zero.hasBytesOf(new CaseOutcome.Result(scalar(-0f)))).isFalse();
  }
}
