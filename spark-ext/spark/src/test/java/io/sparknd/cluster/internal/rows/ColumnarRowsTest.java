/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.internal.scan.ColumnarRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that files read as columnar batches and as rows give the same tensor and the same errors.
 */
@Tag("slow")
class ColumnarRowsTest {
  private static final Partitioning CUT = Partitioning.of(3).withBlockBytes(64);
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");
  private static final int ROWS = 10_000;

  @TempDir Path folder;

  private String written(Dataset<Row> rows, String format) {
    String path = folder.resolve("table").toString();
    rows.write().format(format).mode("overwrite").save(path);
    return path;
  }

  private static Dataset<Row> batches(String path, String format) {
    Dataset<Row> rows = LocalSpark.session().newSession().read().format(format).load(path);
    assertThat(ColumnarRows.of(rows)).isPresent();
    return rows;
  }

  private static Dataset<Row> rows(String path, String format) {
    SparkSession session = LocalSpark.session().newSession();
    session.conf().set("spark.sql." + format + ".enableVectorizedReader", "false");
    Dataset<Row> rows = session.read().format(format).load(path);
    assertThat(ColumnarRows.of(rows)).isEmpty();
    return rows;
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("io.sparknd.oracle.TestSamples#dtypes")
  void everyDTypeSurvivesARoundTrip(DType dtype) {
    for (Shape shape : List.of(Shape.of(41), Shape.of(7, 2, 3))) {
      assertSameInBothWays(RandomCalls.tensor(dtype, shape, new Random(7)), 1);
    }
  }

  @Test
  void emptySlicesSurviveARoundTrip() {
    assertSameInBothWays(Tensor.zeros(DType.FLOAT32, Shape.of(5, 0)), 1);
  }

  private void assertSameInBothWays(Tensor tensor, int depth) {
    DistributedTensor data = DistributedTensor.of(LocalSpark.session(), tensor, CUT);
    String path = written(data.toDataset(depth), "parquet");
    assertSame(batches(path, "parquet"), depth, tensor);
    assertSame(rows(path, "parquet"), depth, tensor);
  }

  private static void assertSame(Dataset<Row> rows, int depth, Tensor tensor) {
    TensorColumns columns = SqlRows.columns(depth);
    try (DistributedTensor read =
        DistributedTensor.fromDataset(rows, columns, tensor.dtype(), tensor.shape(), CUT)) {
      TensorAssert.assertSame(read.collect(), tensor);
    }
  }

  @Test
  void orcFilesAreRead() {
    Tensor tensor = RandomCalls.tensor(DType.FLOAT32, Shape.of(41, 5), new Random(7));
    DistributedTensor data = DistributedTensor.of(LocalSpark.session(), tensor, CUT);
    String path = written(data.toDataset(1), "orc");
    assertSame(batches(path, "orc"), 1, tensor);
    assertSame(rows(path, "orc"), 1, tensor);
  }

  @Test
  void flatArraysBecomeSlicesOfHigherRank() {
    Tensor tensor = RandomCalls.tensor(DType.INT32, Shape.of(20, 6), new Random(7));
    String path =
        written(DistributedTensor.of(LocalSpark.session(), tensor, CUT).toDataset(1), "parquet");
    assertSame(batches(path, "parquet"), 1, tensor.reshape(Shape.of(20, 2, 3)));
    assertSame(rows(path, "parquet"), 1, tensor.reshape(Shape.of(20, 2, 3)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tinyint", "smallint", "int", "bigint"})
  void indexColumnsOfEveryIntegerTypeAreRead(String type) {
    Dataset<Row> numbers =
        LocalSpark.session()
            .range(100)
            .selectExpr("cast(99 - id as " + type + ") AS i0", "cast(id as float) AS value");
    float[] expected = new float[100];
    for (int i = 0; i < 100; i++) {
      expected[i] = 99 - i;
    }
    String path = written(numbers, "parquet");
    assertSame(batches(path, "parquet"), 1, Tensor.of(Shape.of(100), expected));
    assertSame(rows(path, "parquet"), 1, Tensor.of(Shape.of(100), expected));
  }

  @Test
  void columnsMayBeRenamedAndTakenTwice() {
    String path =
        written(LocalSpark.session().range(4).selectExpr("'x' AS a", "id", "-id AS v"), "parquet");
    Dataset<Row> chosen = batches(path, "parquet").selectExpr("v AS value", "id AS i1", "id AS i0");
    assertThat(ColumnarRows.of(chosen)).isPresent();
    assertSame(
        chosen, 2, Tensor.of(Shape.of(4, 4), 0L, 0, 0, 0, 0, -1, 0, 0, 0, 0, -2, 0, 0, 0, 0, -3));
  }

  @Test
  void computedColumnsAreReadAsRows() {
    String path = written(LocalSpark.session().range(4).toDF(), "parquet");
    assertThat(ColumnarRows.of(batches(path, "parquet").selectExpr("id + 1"))).isEmpty();
  }

  @Test
  void cachedScalarsAreReadAsBatches() {
    Dataset<Row> cached =
        LocalSpark.session()
            .range(0, ROWS, 1, 3)
            .selectExpr("id AS i0", "cast(id as int) AS value")
            .groupBy("i0")
            .sum("value")
            .selectExpr("i0", "`sum(value)` AS value")
            .cache();
    try {
      assertThat(ColumnarRows.of(cached)).isPresent();
      long[] expected = new long[ROWS];
      Arrays.setAll(expected, i -> i);
      assertSame(cached, 1, Tensor.of(Shape.of(ROWS), expected));
    } finally {
      cached.unpersist();
    }
  }

  @Test
  void batchesAndRowsDropTheSameRows() {
    String path = written(withBad("array(1, 2)", "9", "array(3, 4)", "array<float>"), "parquet");
    IndexPolicy lenient = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.ERROR);
    Scatter how = Scatter.add().withIndices(lenient);
    Tensor expected = Tensor.of(Shape.of(2, 2), 0f, 0, ROWS - 2, 2 * (ROWS - 2));
    for (Dataset<Row> read : List.of(batches(path, "parquet"), rows(path, "parquet"))) {
      Tensor sums = zeros(DType.FLOAT32, Shape.of(2, 2)).scatter(how, read, COLUMNS).collect();
      TensorAssert.assertSameBits(sums, expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | array(1, 2)    | row 7000 of partition 0 has a null in index column 'id'",
        "4    | array(1, 2)    | row 7000 of partition 0 = [4] is out of bounds for shape",
        "-1   | array(1, 2)    | row 7000 of partition 0 = [-1]",
        "1    | null           | the value at [1], row 7000 of partition 0, is null",
        "1    | array(1, null) | the value at [1], row 7000 of partition 0, has a null inside",
        "1    | array()        | has 0 values in dimension 0; slice [2] needs 2",
        "1    | array(1, 2, 3) | has 3 values in dimension 0; slice [2] needs 2"
      })
  void batchesAndRowsNameTheSameBadRow(String index, String value, String message) {
    assertRefusedAlike(
        withBad("array(1, 2)", index, value, "array<float>"),
        zeros(DType.FLOAT32, Shape.of(2, 2)),
        message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "array(array(1, 2), null)           | row 7000 of partition 0, has a null array inside",
        "array(array(1, 2), array(1))       | has 1 values in dimension 1; slice [2, 2] needs 2",
        "array(array(1, 2), array(1, null)) | row 7000 of partition 0, has a null inside",
        "array(array(1, 2))                 | has 1 values in dimension 0; slice [2, 2] needs 2"
      })
  void batchesAndRowsNameTheSameBadNestedRow(String value, String message) {
    assertRefusedAlike(
        withBad("array(array(1, 2), array(3, 4))", "1", value, "array<array<int>>"),
        zeros(DType.INT32, Shape.of(2, 2, 2)),
        message);
  }

  private static DistributedTensor zeros(DType dtype, Shape shape) {
    return DistributedTensor.zeros(LocalSpark.session(), dtype, shape, CUT);
  }

  /**
   * Returns rows for slice 1, except two bad ones, in the second and third batch of one partition.
   */
  private static Dataset<Row> withBad(String good, String badIndex, String bad, String type) {
    String choice = "cast(if(id IN (7000, 9000), %s, %s) AS %s) AS %s";
    return LocalSpark.session()
        .range(0, ROWS, 1, 1)
        .selectExpr(
            String.format(choice, badIndex, "1", "bigint", "id"),
            String.format(choice, bad, good, type, "value"));
  }

  private void assertRefusedAlike(Dataset<Row> table, DistributedTensor tensor, String message) {
    String path = written(table, "parquet");
    for (Dataset<Row> read : List.of(batches(path, "parquet"), rows(path, "parquet"))) {
      assertThatThrownBy(() -> tensor.scatter(Scatter.add(), read, COLUMNS))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(message);
    }
  }
}
