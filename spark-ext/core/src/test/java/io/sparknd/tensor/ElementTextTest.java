/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parsing of elements from text. */
class ElementTextTest {
  private static Object element(String dtype, String text) {
    DType of = DType.named(dtype);
    return Tensor.fill(of, Shape.of(), ElementText.parse(of, text)).element(0);
  }

  @ParameterizedTest
  @CsvSource({
    "int32, -7, -7",
    "int32, 12e3, 12000",
    "uint64, 1.8446744073709551615e19, 18446744073709551615",
    "uint64, 18446744073709551615, 18446744073709551615",
    "float32, nan, NaN",
    "float32, -inf, -Infinity",
    "float64, -0.0, -0.0",
    "float32, -.00, -0.0",
    "float64, -0e5, -0.0",
    "float64, 0e5, 0.0",
    "int32, -0.0, 0",
    "complex64, -0.00-0e1j, -0.0-0.0j",
    "float64, 1e-3, 0.001",
    "bool, true, true",
    "bool, 0, false",
    "complex64, 1+2j, 1.0+2.0j",
    "complex64, 12j, 0.0+12.0j",
    "complex64, -1e-3-2.5e+1j, -0.0010000000474974513-25.0j",
    "complex128, 3, 3.0+0.0j",
    "complex64, -inf+NaNj, -Infinity+NaNj",
    "complex64, NaN-NaNj, NaN+NaNj",
    "string, nan, nan",
  })
  void validTextIsParsed(String dtype, String text, String shown) {
    assertThat(element(dtype, text)).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "int32, 1.5",
    "int8, 300",
    "uint64, 1e20",
    "bool, maybe",
    "float32, one",
    "complex64, 1+j+2"
  })
  void invalidTextIsRejected(String dtype, String text) {
    assertThatThrownBy(() -> element(dtype, text)).isInstanceOf(SparkNdException.class);
  }

  /** Their digits would take minutes to compute. */
  @Test
  @Timeout(5)
  void hugeExponentsOfIntegersAreNotExpanded() {
    for (String text : List.of("1e100000000", "-1e100000000", "1e-100000000")) {
      assertThatThrownBy(() -> element("int32", text))
          .isInstanceOf(SparkNdException.class)
          .hasMessageEndingWith("is not a int32");
    }
    assertThat(element("int32", "0e-100000000")).isEqualTo(0L);
  }
}
