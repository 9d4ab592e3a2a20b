/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the names of reductions and policies. */
class NamesTest {

  @Test
  void everyReductionHasItsName() {
    for (Reduction reduction : Reduction.values()) {
      assertThat(Reduction.named(reduction.toString())).isEqualTo(reduction);
    }
    unknown(
        () -> Reduction.named("sum"),
        "reduction 'sum' is unknown; use one of none, add, sub, mul, div, min, max, fmin, fmax,"
            + " mean");
  }

  @Test
  void reductionsAreListedByDType() {
    assertThat(Reduction.definedFor(DType.BOOL)).isEqualTo("none, add, mul, min, max, fmin, fmax");
    assertThat(Reduction.definedFor(DType.UINT8))
        .isEqualTo("none, add, sub, mul, min, max, fmin, fmax, mean");
    assertThat(Reduction.definedFor(DType.FLOAT16))
        .isEqualTo("none, add, sub, mul, div, min, max, fmin, fmax, mean");
    assertThat(Reduction.definedFor(DType.COMPLEX64)).isEqualTo("none, add, sub, mul, div, mean");
    assertThat(Reduction.definedFor(DType.STRING)).isEqualTo("none, add, min, max, fmin, fmax");
  }

  @Test
  void policiesHaveNames() {
    assertThat(BadIndices.named("error")).isEqualTo(BadIndices.ERROR);
    assertThat(BadIndices.named("ignore")).isEqualTo(BadIndices.IGNORE);
    assertThat(BadIndices.named("clip")).isEqualTo(BadIndices.CLIP);
    unknown(
        () -> BadIndices.named("IGNORE"),
        "bad_indices 'IGNORE' is unknown; use one of error, ignore, clip");
    assertThat(NegativeIndices.named("error")).isEqualTo(NegativeIndices.ERROR);
    assertThat(NegativeIndices.named("wrap")).isEqualTo(NegativeIndices.WRAP);
    assertThat(NegativeIndices.named("oob")).isEqualTo(NegativeIndices.OUT_OF_BOUNDS);
    unknown(() -> NegativeIndices.named(""), "negative '' is unknown; use one of error, wrap, oob");
  }

  private static void unknown(ThrowingCallable lookup, String message) {
    assertThatThrownBy(lookup)
        .hasMessage(message)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.kind()).isEqualTo(SparkNdException.Kind.ATTRIBUTE));
  }
}
