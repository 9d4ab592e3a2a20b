/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ColumnBuilder;
import ai.rapids.cudf.HostColumnVector.ListType;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.udf.catalyst.RowFunction;
import io.sparknd.udf.catalyst.TensorFunctions;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Tests the limit of columns that are made in host memory. */
class HostRowsTest {
  private static final DataType FLOATS = DataTypes.createArrayType(DataTypes.FloatType);
  private static final DataType TUPLES =
      DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.IntegerType));
  private static final RowFunction ADD =
      TensorFunctions.function("tensor_scatter_nd_add", FLOATS, TUPLES, FLOATS);

  private static ListType lists(ai.rapids.cudf.HostColumnVector.DataType of) {
    return new ListType(true, of);
  }

  /** Adds to rows of 40 elements. */
  private static List<?> added(int rows, int limit) {
    List<Float> tensor = Collections.nCopies(40, 1f);
    try (HostColumnVector tensors =
            column(lists(new BasicType(true, DType.FLOAT32)), rows, tensor);
        HostColumnVector indices =
            column(lists(lists(new BasicType(true, DType.INT32))), rows, List.of(List.of(7)));
        HostColumnVector updates =
            column(lists(new BasicType(true, DType.FLOAT32)), rows, List.of(2f));
        HostColumnVector result =
            HostRows.evaluate(ADD, rows, List.of(tensors, indices, updates), limit)) {
      return result.getList(rows - 1);
    }
  }

  private static HostColumnVector column(ListType type, int rows, List<?> row) {
    try (ColumnBuilder builder = new ColumnBuilder(type, rows)) {
      for (int i = 0; i < rows; i++) {
        builder.appendLists(row);
      }
      return builder.build();
    }
  }

  @Test
  void rowsUpToTheLimit() {
    assertThat(added(2, 80)).hasSize(40).element(7).isEqualTo(3f);
  }

  @Test
  void moreElementsAreRefused() {
    assertThatThrownBy(() -> added(3, 119))
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.condition()).isEqualTo("SPARKND_TOO_LARGE.BATCH_TOO_LARGE"))
        .hasMessageStartingWith(
            "the tensors that a batch of 3 rows gives have more than 119 elements")
        .hasMessageContaining("spark.rapids.sql.reader.batchSizeRows");
  }

  @Test
  void moreInnerListsAreRefused() {
    DataType type = new ArrayType(FLOATS, true);
    try (HostColumnVector lists =
            column(
                lists(lists(new BasicType(true, DType.FLOAT32))),
                1,
                Collections.nCopies(60, List.of()));
        ColumnBuilder builder = new ColumnBuilder(CudfTypes.of(type), 2)) {
      Object value = HostColumn.of(lists).value(0);
      ColumnAppender appender = new ColumnAppender(builder, type, 2, 119);
      appender.append(value);
      assertThatThrownBy(() -> appender.append(value))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("more than 119 elements, or inner arrays, together");
    }
  }
}
