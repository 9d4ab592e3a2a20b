/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests the errors for rows that a scatter or gather cannot use. */
class DatasetRowsTest {
  private static final Tensor DATA = Tensor.of(Shape.of(4, 2), 0f, 1f, 2f, 3f, 4f, 5f, 6f, 7f);
  private static final String SLICES = "id bigint, value array<float>";
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");
  private static final Row GOOD = row(1L, List.of(1f, 2f));

  private static Row row(Object... values) {
    return RowFactory.create(values);
  }

  /** Returns six rows in two partitions, with bad ones at positions 2 and 5. */
  private static Dataset<Row> withBad(String ddl, Row good, Row bad, Row laterBad) {
    List<Row> rows = new ArrayList<>(java.util.Collections.nCopies(6, good));
    rows.set(2, bad);
    rows.set(5, laterBad);
    return rows(ddl, rows.toArray(Row[]::new));
  }

  private static Dataset<Row> rows(String ddl, Row... rows) {
    return LocalSpark.session().createDataFrame(Arrays.asList(rows), StructType.fromDDL(ddl));
  }

  private static DistributedTensor data() {
    return DistributedTensor.of(LocalSpark.session(), DATA, new Partitioning(3, 8));
  }

  private static void assertRefused(Dataset<Row> updates, String message) {
    try (DistributedTensor data = data()) {
      assertThatThrownBy(() -> data.scatter(Scatter.add(), updates, COLUMNS))
          .isInstanceOf(SparkNdException.class)
          .hasMessageStartingWith(message);
      TensorAssert.assertSameBits(data.collect(), DATA);
    }
  }

  @Test
  void aBadIndexNamesTheFirstRow() {
    Row bad = row(4L, List.of(1f, 2f));
    Row later = row(-1L, List.of(1f, 2f));
    assertRefused(
        withBad(SLICES, GOOD, bad, later),
        "row 2 of partition 0 = [4] is out of bounds for shape [4, 2]: correct it, or set bad_indices"
            + " to 'ignore' or 'clip'");
  }

  @Test
  void aNullIndexNamesTheFirstRow() {
    Row bad = row(null, List.of(1f, 2f));
    assertRefused(
        withBad(SLICES, GOOD, bad, bad),
        "row 2 of partition 0 has a null in index column 'id'; filter such rows out first");
  }

  @Test
  void aNullValueNamesTheFirstRow() {
    Row bad = row(3L, null);
    assertRefused(
        withBad(SLICES, GOOD, bad, bad), "the value at [3], row 2 of partition 0, is null");
  }

  @Test
  void aNullInsideAValueNamesTheFirstRow() {
    Row bad = row(3L, Arrays.asList(1f, null));
    assertRefused(
        withBad(SLICES, GOOD, bad, bad),
        "the value at [3], row 2 of partition 0, has a null inside");
  }

  @Test
  void aValueOfAnotherLengthNamesTheFirstRow() {
    Row bad = row(3L, List.of(1f, 2f, 3f));
    Row later = row(3L, List.of());
    assertRefused(
        withBad(SLICES, GOOD, bad, later),
        "the value at [3], row 2 of partition 0, has 3 values in dimension 0;"
            + " slice [2] needs 2");
  }

  @Test
  void firstOfSeveralBadRowsIsNamed() {
    assertRefused(
        withBad(SLICES, GOOD, row(3L, null), row(4L, List.of(1f, 2f))),
        "the value at [3], row 2 of partition 0, is null");
  }

  @Test
  void anUnsignedValueOutOfRangeIsRefused() {
    DistributedTensor bytes =
        DistributedTensor.zeros(LocalSpark.session(), DType.UINT8, Shape.of(4), Partitioning.of(2));
    Dataset<Row> updates =
        withBad(
            "id bigint, value smallint",
            row(1L, (short) 255),
            row(1L, (short) 256),
            row(1L, (short) -1));
    assertThatThrownBy(() -> bytes.scatter(Scatter.add(), updates, COLUMNS))
        .hasMessage(
            "the value at [1], row 2 of partition 0, holds 256, which is no uint8: correct the row, or"
                + " filter it out");
  }

  @Test
  void aValueColumnOfAnotherTypeIsRefusedBeforeAnyJob() {
    assertRefused(
        rows("id bigint, value array<string>", row(1L, List.of("a", "b"))),
        "value column 'value' is array<string>; slices of shape [2] of a float32 tensor need"
            + " array<float>: cast it");
    assertRefused(
        rows("id bigint, value float", row(1L, 1f)),
        "value column 'value' is float; slices of shape [2] of a float32 tensor need"
            + " array<float>: cast it");
  }

  @Test
  void anIndexColumnOfAnotherTypeIsRefusedBeforeAnyJob() {
    assertRefused(
        rows("id double, value array<float>", row(1.0, List.of(1f, 2f))),
        "index column 'id' is double; indices must be tinyint, smallint, int or bigint");
  }

  @Test
  void aMissingColumnIsNamedWithThoseThatAreThere() {
    assertRefused(
        rows("key bigint, value array<float>", row(1L, List.of(1f, 2f))),
        "column 'id' is not among [key, value]");
  }

  @Test
  void refusedDuplicatesNameTheLowestSlice() {
    Dataset<Row> updates =
        rows(
            SLICES,
            row(3L, List.of(1f, 2f)),
            row(2L, List.of(1f, 2f)),
            row(0L, List.of(1f, 2f)),
            row(3L, List.of(1f, 2f)),
            row(2L, List.of(1f, 2f)));
    Scatter once = Scatter.update().withDuplicates(Duplicates.ERROR);
    try (DistributedTensor data = data()) {
      assertThatThrownBy(() -> data.scatter(once, updates, COLUMNS))
          .hasMessageStartingWith("index [2] occurs more than once; keep one of its rows");
      TensorAssert.assertSameBits(data.collect(), DATA);
    }
  }

  @Test
  void duplicatesOfSlicesWithoutElementsAreRefusedToo() {
    DistributedTensor empty =
        DistributedTensor.zeros(
            LocalSpark.session(), DType.FLOAT32, Shape.of(3, 0), Partitioning.of(2));
    Dataset<Row> updates = rows(SLICES, row(1L, List.of()), row(1L, List.of()));
    Scatter once = Scatter.update().withDuplicates(Duplicates.ERROR);
    assertThatThrownBy(() -> empty.scatter(once, updates, COLUMNS))
        .hasMessageStartingWith("index [1] occurs more than once; keep one of its rows");
  }

  @Test
  void aGatherNamesTheFirstBadRow() {
    Dataset<Row> requests = withBad("id int", row(1), row(-5), row(7));
    assertThatThrownBy(() -> data().gather(Gather.strict(), requests, List.of("id")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("row 2 of partition 0 = [-5] is negative for shape [");
  }

  @Test
  void aGatherOfNoRowsHasTheValueColumn() {
    Dataset<Row> responses =
        data().gather(Gather.strict(), rows("id int, name string"), List.of("id"));
    assertThat(responses.columns()).containsExactly("id", "name", "value");
    assertThat(responses.count()).isZero();
  }
}
