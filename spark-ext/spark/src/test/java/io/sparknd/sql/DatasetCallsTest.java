/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Jax;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests table functions called on Datasets. */
class DatasetCallsTest {
  private static final Shape SHAPE = Shape.of(2, 3);

  private static Dataset<Row> rows(String values, String columns) {
    return LocalSpark.session().sql("SELECT * FROM VALUES " + values + " AS t(" + columns + ")");
  }

  private static List<String> shown(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void leadingIndexColumnsMayBeBatchCoordinates() {
    Dataset<Row> params = rows("(0, 1, 1.5D), (1, 2, 2.5D)", "b, i, v");
    Dataset<Row> indices = rows("(0, 1), (1, 2), (1, 0)", "b, i");
    GatherNd gather = GatherNd.of(params, indices).withShape(SHAPE);
    List<String> expected = List.of("[0,1,1.5]", "[1,0,0.0]", "[1,2,2.5]");
    assertThat(shown(gather.toDataset())).isEqualTo(expected);
    for (int dims = 0; dims <= 2; dims++) {
      assertThat(shown(gather.withBatchDims(dims).toDataset())).isEqualTo(expected);
    }
    for (int dims : new int[] {-1, 3}) {
      assertThatThrownBy(() -> gather.withBatchDims(dims).toDataset())
          .hasMessageContaining("batch_dims")
          .hasMessageContaining(Integer.toString(dims));
    }
  }

  @Test
  void everyReductionStartsFromZeros() {
    Dataset<Row> updates = rows("(0, 0, -4), (0, 0, 3), (1, 2, -5)", "i, j, v");
    ScatterNd sums = ScatterNd.of(updates, SHAPE).orderedBy("v");
    assertThat(written(sums)).containsExactly("[0,0,-1]", "[1,2,-5]");
    assertThat(written(sums.reducedBy(Scatter.max()))).containsExactly("[0,0,3]");
    assertThat(written(sums.reducedBy(Scatter.min()))).containsExactly("[0,0,-4]", "[1,2,-5]");
    assertThat(written(sums.reducedBy(Scatter.update()))).containsExactly("[0,0,3]", "[1,2,-5]");
  }

  @Test
  void ignoredIndicesMayBeNegative() {
    Dataset<Row> updates = rows("(-1, 0, 1), (0, 9, 1), (1, 2, 5)", "i, j, v");
    ScatterNd ignored = ScatterNd.of(updates, SHAPE).withBadIndices(BadIndices.IGNORE);
    assertThat(written(ignored)).containsExactly("[1,2,5]");
    assertThat(written(ScatterNd.of(updates, SHAPE).reducedBy(lenient())))
        .containsExactly("[1,2,5]");
    TensorScatterNd into =
        TensorScatterNd.of(lenient(), rows("(0, 0, 3)", "i, j, v"), updates).withShape(SHAPE);
    assertThat(shown(into.toDataset().where("v != 0"))).containsExactly("[0,0,3]", "[1,2,5]");
    GatherNd gather =
        GatherNd.of(rows("(0, 0, 3)", "i, j, v"), rows("(-1, 0)", "i, j"))
            .withShape(SHAPE)
            .withBadIndices(BadIndices.IGNORE);
    assertThat(shown(gather.toDataset())).containsExactly("[-1,0,0]");
    assertThatThrownBy(
            () -> gather.withNegativeIndices(NegativeIndices.ERROR).toDataset().collectAsList())
        .hasMessageContaining("[-1, 0] is negative");
    assertThatThrownBy(
            () -> ignored.withNegativeIndices(NegativeIndices.ERROR).toDataset().collectAsList())
        .hasMessageContaining("[-1, 0] is negative");
  }

  /** JAX's default for a date is not defined, as it is for no encoded value. */
  @Test
  void defaultOfJaxIsThatOfTheElementsDType() {
    Tensor any = Tensor.of(Shape.of(1, 1), 0L);
    Jax.At at = Jax.at(DType.INT8, Shape.of(2), any).withMode(Jax.Mode.FILL_OR_DROP);
    BadIndices fill = at.get().how().indices().bad();
    List<List<String>> found =
        List.of(List.of("1S", "[9,-32768]"), List.of("1F", "[9,NaN]"), List.of("true", "[9,true]"));
    for (List<String> each : found) {
      GatherNd gather =
          GatherNd.of(rows("(0, " + each.get(0) + ")", "i, v"), rows("(9)", "i"))
              .withShape(Shape.of(2))
              .withBadIndices(fill);
      assertThat(shown(gather.toDataset())).containsExactly(each.get(1));
    }
    GatherNd dates =
        GatherNd.of(rows("(0, DATE '2026-01-01')", "i, v"), rows("(9)", "i"))
            .withShape(Shape.of(2))
            .withBadIndices(fill);
    assertThatThrownBy(dates::toDataset)
        .hasMessageContaining("fill value JAX's default is not a date");
  }

  private static Scatter lenient() {
    return Scatter.add().withBadIndices(BadIndices.IGNORE);
  }

  private static List<String> written(ScatterNd scatter) {
    return shown(scatter.toDataset().where("v != 0"));
  }
}
