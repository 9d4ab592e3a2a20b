/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** cuDF columns on a GPU. */
class NestedColumnsTest {
  private static final DataType FLOATS =
      new ListType(true, new ListType(true, new BasicType(true, DType.FLOAT32)));
  private static final DataType TUPLES =
      new ListType(true, new ListType(true, new BasicType(true, DType.INT64)));
  private static final DataType SHAPES = new ListType(true, new BasicType(true, DType.INT32));
  private static final List<List<Float>> TENSOR = List.of(List.of(1f, 2f), List.of(3f, 4f));

  @BeforeEach
  void needGpu() {
    Gpu.need();
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <T> ColumnVector column(DataType type, List<T>... rows) {
    return ColumnVector.fromLists(type, rows);
  }

  private static List<Object> rows(ColumnVector column) {
    try (HostColumnVector host = column.copyToHost()) {
      List<Object> rows = new ArrayList<>();
      for (int row = 0; row < host.getRowCount(); row++) {
        rows.add(host.isNull(row) ? null : host.getList(row));
      }
      return rows;
    }
  }

  @Test
  void scatterAddsRowByRowAndKeepsNulls() {
    try (ColumnVector tensor = column(FLOATS, TENSOR, TENSOR, null);
        ColumnVector indices =
            column(TUPLES, List.of(List.of(1L), List.of(1L)), null, List.of(List.of(0L)));
        ColumnVector updates =
            column(
                FLOATS,
                List.of(List.of(10f, 20f), List.of(5f, 5f)),
                List.of(List.of(1f, 1f)),
                List.of(List.of(1f, 1f)));
        ColumnVector result =
            NestedColumns.scatter(Reduction.ADD, IndexPolicy.STRICT, 1, tensor, indices, updates)
                .orElseThrow()) {
      assertThat(rows(result))
          .containsExactly(List.of(List.of(1f, 2f), List.of(18f, 29f)), null, null);
      assertThat(rows(tensor)).containsExactly(TENSOR, TENSOR, null);
    }
  }

  @Test
  void gatherReadsRowByRowAndKeepsNulls() {
    try (ColumnVector params = column(FLOATS, TENSOR, TENSOR, null);
        ColumnVector indices =
            column(TUPLES, List.of(List.of(1L), List.of(0L)), null, List.of(List.of(0L)));
        ColumnVector result =
            NestedColumns.gather(IndexPolicy.STRICT, 1, params, indices).orElseThrow()) {
      assertThat(rows(result))
          .containsExactly(List.of(List.of(3f, 4f), List.of(1f, 2f)), null, null);
    }
  }

  @Test
  void scatterNdFillsZerosOfEachShape() {
    try (ColumnVector indices =
            column(TUPLES, List.of(List.of(1L)), List.of(List.of(0L), List.of(0L)));
        ColumnVector updates =
            column(FLOATS, List.of(List.of(7f, 8f)), List.of(List.of(1f), List.of(2f)));
        ColumnVector shapes = column(SHAPES, List.of(2, 2), List.of(1, 1));
        ColumnVector result =
            NestedColumns.scatterNd(IndexPolicy.STRICT, 1, indices, updates, shapes, 2)
                .orElseThrow()) {
      assertThat(rows(result))
          .containsExactly(List.of(List.of(0f, 0f), List.of(7f, 8f)), List.of(List.of(3f)));
    }
  }

  @Test
  void indexOutOfBoundsFallsBackToCpu() {
    try (ColumnVector params = column(FLOATS, TENSOR);
        ColumnVector indices = column(TUPLES, List.of(List.of(2L)))) {
      assertThat(NestedColumns.gather(IndexPolicy.STRICT, 1, params, indices)).isEmpty();
    }
  }
}
