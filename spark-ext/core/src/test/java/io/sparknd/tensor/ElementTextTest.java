/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    "uint64, 18446744073709551615, 18446744073709551615",
    "float32, nan, NaN",
    "float32, -inf, -Infinity",
    "float64, -0.0, -0.0",
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
  void isRead(String dtype, String text, String shown) {
    assertThat(element(dtype, text)).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource({"int32, 1.5", "int8, 300", "bool, maybe", "float32, one", "complex64, 1+j+2"})
  void isRejected(String dtype, String text) {
    assertThatThrownBy(() -> element(dtype, text)).isInstanceOf(SparkNdException.class);
  }
}
