/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Jax;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that fill values of every kind of dtype reach the executors unchanged. */
class FillTest {
  private static Object value(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> true;
      case SIGNED, UNSIGNED -> 7;
      case FLOAT -> 1.5;
      case COMPLEX -> new Complex(1.5, -2);
      case STRING -> "fill";
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"BOOL", "UINT64", "BFLOAT16", "FLOAT32", "COMPLEX64", "STRING"})
  void tensorIsFilledWithTheValue(DType dtype) {
    Shape shape = Shape.of(5, 3);
    TensorAssert.assertSameBits(
        DistributedTensor.fill(
                LocalSpark.session(), dtype, shape, value(dtype), new Partitioning(2, 32))
            .collect(),
        Tensor.fill(dtype, shape, value(dtype)));
  }

  @ParameterizedTest
  @EnumSource(names = {"BOOL", "UINT64", "BFLOAT16", "FLOAT32", "COMPLEX64", "STRING"})
  void outOfBoundsGatherReturnsTheFillValue(DType dtype) {
    Gather how = Gather.strict().withBadIndices(BadIndices.fill(value(dtype)));
    DistributedTensor zeros =
        DistributedTensor.zeros(
            LocalSpark.session(), dtype, Shape.of(5, 3), new Partitioning(2, 32));
    Tensor indices = Tensor.of(Shape.of(2, 1), 9L, 9L);
    Tensor expected = Tensor.fill(dtype, Shape.of(2, 3), value(dtype));
    TensorAssert.assertSameBits(zeros.gather(GatherCall.of(how, indices)).collect(), expected);
    List<Object> values = new ArrayList<>();
    for (Row row : zeros.gather(how, SqlRows.requests(indices), List.of("i0")).collectAsList()) {
      values.add(row.getAs("value"));
    }
    assertThat(SqlRows.flat(values)).isEqualTo(SqlRows.elements(expected));
  }

  @ParameterizedTest
  @EnumSource(names = {"BOOL", "UINT64", "BFLOAT16", "FLOAT32", "COMPLEX64", "STRING"})
  void defaultOfJaxIsThatOfTheDType(DType dtype) {
    Shape shape = Shape.of(5, 3);
    Tensor indices = Tensor.of(Shape.of(2, 1), 9L, 9L);
    GatherCall call = Jax.at(dtype, shape, indices).withMode(Jax.Mode.FILL_OR_DROP).get();
    Tensor expected = Kernels.auto().gather(Tensor.zeros(dtype, shape), call);
    DistributedTensor zeros =
        DistributedTensor.zeros(LocalSpark.session(), dtype, shape, new Partitioning(2, 32));
    List<Object> values = new ArrayList<>();
    Dataset<Row> requests = SqlRows.requests(indices);
    for (Row row : zeros.gather(call.how(), requests, List.of("i0")).collectAsList()) {
      values.add(row.getAs("value"));
    }
    assertThat(SqlRows.flat(values)).isEqualTo(SqlRows.elements(expected));
  }
}
