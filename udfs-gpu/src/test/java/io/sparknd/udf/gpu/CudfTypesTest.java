/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.DType;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.udf.catalyst.TensorFunctions;
import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the types of columns of cuDF. */
class CudfTypesTest {
  @ParameterizedTest
  @CsvSource({
    "array<float>, array<double>, array<double>",
    "array<array<int>>, array<bigint>, array<array<bigint>>",
    "smallint, array<float>, float",
    "bigint, float, float",
    "array<double>, array<float>, array<double>",
    "array<int>, array<int>, array<int>",
    "array<boolean>, array<int>, array<boolean>",
    "array<int>, array<boolean>, array<int>"
  })
  void narrowerUpdatesAreWidened(String updates, String tensor, String result) {
    assertThat(CudfTypes.widened(DataType.fromDDL(updates), DataType.fromDDL(tensor)))
        .isEqualTo(DataType.fromDDL(result));
  }

  @Test
  void functionsOnColumnsTakeWidenedUpdates() {
    DataType tensor = DataType.fromDDL("array<double>");
    DataType tuples = DataType.fromDDL("array<array<int>>");
    DataType updates = DataType.fromDDL("array<float>");
    assertThatThrownBy(
            () -> TensorFunctions.function("tensor_scatter_nd_add", tensor, tuples, updates))
        .hasMessageContaining("cast them explicitly");
    DataType wide = CudfTypes.widened(updates, tensor);
    DataType result =
        TensorFunctions.function("tensor_scatter_nd_add", tensor, tuples, wide).dataType();
    assertThat(result.simpleString()).isEqualTo("array<double>");
  }

  @Test
  void columnsOfOtherTypesAreRefused() {
    for (DType type : new DType[] {DType.STRING, DType.STRUCT, DType.TIMESTAMP_DAYS}) {
      assertThatThrownBy(() -> CudfTypes.element(type))
          .isInstanceOfSatisfying(
              SparkNdException.class,
              e -> assertThat(e.condition()).isEqualTo("SPARKND_NOT_A_TENSOR.NOT_ON_GPU"))
          .hasMessageContaining("is a column of " + type + " on a GPU");
    }
  }
}
