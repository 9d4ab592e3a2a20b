/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.embedding.EmbeddingLookup;
import io.sparknd.embedding.Lists;
import io.sparknd.embedding.internal.lookup.LookupCall;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Jax;
import io.sparknd.op.NegativeIndices;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests arguments and errors of lookups, and lookups larger than a window. */
class LookupTest {
  private static final SparkSession SPARK = LocalSpark.session();

  private static final Tensor PARAMS = Tensor.of(Shape.of(4, 2), 1f, 2, 3, 4, 5, 6, 7, 8);

  private static DistributedTensor distributed(Tensor tensor) {
    return DistributedTensor.of(SPARK, tensor, new Partitioning(3, 8));
  }

  private static Dataset<Row> lookup(Lookup how, String sql, LookupColumns columns) {
    return EmbeddingLookup.of(distributed(PARAMS), how, SPARK.sql(sql), columns);
  }

  private static List<Float> only(Dataset<Row> rows) {
    return rows.first().getList(rows.columns().length - 1);
  }

  private static void assertRefused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(parts);
  }

  @Test
  void otherColumnsPassThrough() {
    Dataset<Row> rows =
        lookup(
            Lookup.mean(),
            "SELECT 'a' AS text, array(0, 1) AS ids, NULL AS hole",
            LookupColumns.of("ids").into("bag"));
    assertThat(rows.schema().simpleString())
        .isEqualTo("struct<text:string,ids:array<int>,hole:void,bag:array<float>>");
    assertThat(rows.first().getString(0) + rows.first().get(2)).isEqualTo("anull");
    assertThat(only(rows)).containsExactly(2f, 3f);
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint(2), float(0.5)",
    "smallint(2), double(0.5)",
    "int(2), float(0.5)",
    "bigint(2), double(0.5)",
    "array(tinyint(2)), array(float(0.5))",
    "array(smallint(2)), array(double(0.5))"
  })
  void columnsMayHaveEveryNumericType(String ids, String weights) {
    String sql = "SELECT " + ids + " AS ids, " + weights + " AS w";
    assertThat(only(lookup(Lookup.sum(), sql, LookupColumns.of("ids").weightedBy("w"))))
        .containsExactly(2.5f, 3f);
  }

  @Test
  void defaultFillOfJaxIsNaN() {
    Tensor any = Tensor.of(Shape.of(1, 1), 0L);
    Jax.At at = Jax.at(DType.INT8, Shape.of(2), any).withMode(Jax.Mode.FILL_OR_DROP);
    Lookup filled = Lookup.sum().withBadIndices(at.get().how().indices().bad());
    Dataset<Row> found = lookup(filled, "SELECT array(0, 9) AS ids", LookupColumns.of("ids"));
    assertThat(only(found)).containsExactly(Float.NaN, Float.NaN);
  }

  /** The squares of the row overflow. */
  @ParameterizedTest
  @CsvSource({
    "FLOAT32, 3e38, 1",
    "FLOAT32, 3e38, 1e30",
    "FLOAT64, 1e308, 1",
    "FLOAT64, 1e308, 1e200"
  })
  void rowsOfAnyFiniteNormAreScaled(DType dtype, double element, double most) {
    Dataset<Row> found =
        EmbeddingLookup.of(
            distributed(Tensor.fill(dtype, Shape.of(1, 4), element)),
            Lookup.sum().withMaxNorm(most),
            SPARK.sql("SELECT array(0) AS ids"),
            LookupColumns.of("ids"));
    assertThat(found.first().<Number>getList(1))
        .allSatisfy(each -> assertThat(each.doubleValue() / most).isCloseTo(0.5, within(1e-6)));
  }

  /** The squares overflow, and the norm is below the bound. */
  @Test
  void rowsWithinALargeBoundAreKept() {
    Dataset<Row> found =
        EmbeddingLookup.of(
            distributed(Tensor.of(Shape.of(1, 2), 3e20f, 4e20f)),
            Lookup.sum().withMaxNorm(1e30),
            SPARK.sql("SELECT array(0) AS ids"),
            LookupColumns.of("ids"));
    assertThat(only(found)).containsExactly(3e20f, 4e20f);
  }

  @Test
  void resultsHaveTheNestingOfTensorRows() {
    Tensor cubes = Tensor.of(Shape.of(2, 2, 1), 1.0, 2, 3, 4);
    Dataset<Row> rows =
        EmbeddingLookup.of(
            distributed(cubes),
            Lookup.sum(),
            SPARK.sql("SELECT array(0L, 1L) AS ids"),
            LookupColumns.of("ids"));
    assertThat(rows.schema().apply("embedding").dataType().simpleString())
        .isEqualTo("array<array<double>>");
    assertThat(rows.selectExpr("flatten(embedding)").first().<Double>getList(0))
        .containsExactly(4.0, 6.0);
  }

  @Test
  void noInputRowsGiveNoOutputRows() {
    Dataset<Row> none = SPARK.sql("SELECT array(0) AS ids").where("false");
    LookupColumns columns = LookupColumns.of("ids");
    assertThat(EmbeddingLookup.of(distributed(PARAMS), Lookup.sum(), none, columns).count())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CAST(NULL AS array<int>) | array(1.0D) | column 'ids' of row 1 of partition 0 is null",
        "array(0, NULL) | array(1.0D, 2.0D) | has a null at position 1",
        "array(0) | CAST(NULL AS array<double>) | column 'w' of row 1 of partition 0 is null",
        "array(0, 1) | array(1.0D) | column 'w' of row 1 of partition 0 has 1 weights for 2 ids",
        "array(0, 1) | array(1.0D, NULL) | column 'w' of row 1 of partition 0 has a null",
        "array(0, 4) | array(1.0D, 1.0D) | ids[1] in row 1 of partition 0 = [4] is out of bounds",
        "array(-1) | array(1.0D) | ids[0] in row 1 of partition 0 = [-1] is negative"
      })
  void rejectedRowIsNamed(String ids, String weights, String problem) {
    String bad = "SELECT " + ids + " AS ids, " + weights + " AS w";
    Dataset<Row> rows =
        SPARK
            .sql("SELECT array(0) AS ids, array(1.0D) AS w UNION ALL " + bad + " UNION ALL " + bad)
            .coalesce(1);
    LookupColumns columns = LookupColumns.of("ids").weightedBy("w");
    assertRefused(
        () -> EmbeddingLookup.of(distributed(PARAMS), Lookup.sum(), rows, columns), problem);
  }

  @Test
  void columnsAreCheckedBeforeAnyJob() {
    LookupColumns ids = LookupColumns.of("ids");
    String sql = "SELECT array(0) AS ids, 1.5D AS w, 'x' AS embedding, array(1) AS n";
    assertRefused(() -> lookup(Lookup.sum(), sql, ids), "column 'embedding'", "into");
    assertRefused(() -> lookup(Lookup.sum(), sql, LookupColumns.of("id")), "column 'id'");
    assertRefused(
        () -> lookup(Lookup.sum(), sql, LookupColumns.of("w").into("o")), "'w' is double");
    assertRefused(() -> lookup(Lookup.sum(), sql, ids.weightedBy("w").into("o")), "'w' is double");
    assertRefused(
        () -> lookup(Lookup.sum(), sql, ids.weightedBy("n").into("o")), "'n' is array<int>");
  }

  @Test
  void tensorsOfOtherDTypesAreRefused() {
    Tensor ints = Tensor.of(Shape.of(2, 1), 1, 2);
    Lists lists = new Lists(List.of(new long[] {0}), null);
    assertRefused(() -> lists.call(Lookup.sum()).run(ints), "the tensor is int32");
    assertRefused(
        () -> EmbeddingLookup.of(distributed(ints), Lookup.sum(), lists.rows(1), lists.columns()),
        "the tensor is int32");
  }

  @Test
  void matricesAreCheckedBeforeIds() {
    Tensor two = Tensor.of(Shape.of(2, 2), 0L, 0, 0, 1);
    Tensor ids = Tensor.of(Shape.of(2), 0L, 9);
    Tensor one = Tensor.of(Shape.of(1), 1f);
    assertRefused(
        () -> run(Tensor.of(Shape.of(1, 2), 0L, 0), ids, Optional.empty()), "[1, 2]", "ids [2]");
    assertRefused(() -> run(two, ids, Optional.of(one)), "weights has shape [1]");
    assertRefused(
        () -> run(two, ids, Optional.of(Tensor.of(Shape.of(2), 1, 1))), "weights is int32");
    assertRefused(
        () -> run(Tensor.of(Shape.of(2, 2), 0L, 0, 3, 0), ids, Optional.empty()),
        "indices[1] names row 3; rows go from 0 to 2");
    assertRefused(
        () -> run(Tensor.of(Shape.of(2, 2), 1L, 0, 0, 0), ids, Optional.empty()),
        "indices[1] is row 0 after row 1");
    assertRefused(
        () -> run(two, Tensor.of(Shape.of(2), 0f, 1), Optional.empty()), "indices is float32");
    assertRefused(() -> run(two, ids, Optional.empty()), "ids[1] (indices[1], row 0) = [9]");
  }

  private static Tensor run(Tensor indices, Tensor ids, Optional<Tensor> weights) {
    return new LookupCall(Lookup.sum(), indices, ids, weights, OptionalLong.of(3)).run(PARAMS);
  }

  @Test
  void normsThatAreNotPositiveAreRefused() {
    assertRefused(() -> Lookup.sum().withMaxNorm(0), "max_norm is 0.0");
    assertRefused(() -> Lookup.sum().withMaxNorm(Double.NaN), "max_norm is NaN");
    assertRefused(() -> Combiner.named("max"), "'max' is unknown", "sum, mean, sqrtn");
  }

  @Test
  void weightOfAnIgnoredIdIsIgnored() {
    Lookup safe =
        Lookup.mean()
            .withBadIndices(BadIndices.IGNORE)
            .withNegativeIndices(NegativeIndices.OUT_OF_BOUNDS);
    Lists lists = new Lists(List.of(new long[] {-1, 3, 9}), List.of(new double[] {5, 2, 1}));
    assertSame(lists.call(safe).run(PARAMS), Tensor.of(Shape.of(1, 2), 7f, 8));
  }

  /** Each task has several windows, which end in the middle of lists. */
  @Test
  void rowsOfSeveralWindowsEqualTheMatrixLookup() {
    Random random = new Random(5);
    int rows = 300_000;
    float[] values = new float[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    Tensor params = Tensor.wrap(DType.FLOAT32, Shape.of(rows, 1), values);
    List<long[]> ids = new ArrayList<>();
    IntStream.of(0, 1000, 200_000, 1, 0, 70_000, 300, 50_000, 9)
        .forEach(length -> ids.add(random.longs(length, 0, rows).toArray()));
    ids.add(LongStream.range(0, rows).toArray());
    assertRowsAreTheMatrixs(params, new Lists(ids, null), 2);
    assertRowsAreTheMatrixs(params, new Lists(ids, null), 1);
  }

  /** A window holds one or two rows, of 6 MB each. */
  @Tag("slow")
  @Test
  void rowsOfSeveralMegabytesEqualTheMatrixLookup() {
    Random random = new Random(6);
    float[] values = new float[4 * 1_500_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(1000);
    }
    Tensor params = Tensor.wrap(DType.FLOAT32, Shape.of(4, 1_500_000), values);
    List<long[]> ids = List.of(new long[] {0, 1, 0, 2, 3, 3, 0}, new long[0], new long[] {3, 1});
    Tensor expected = new Lists(ids, null).call(Lookup.mean()).run(params);
    try (DistributedTensor tensor = DistributedTensor.of(SPARK, params, Partitioning.of(2))) {
      Lists lists = new Lists(ids, null);
      Dataset<Row> combined =
          EmbeddingLookup.of(tensor, Lookup.mean(), lists.rows(1), lists.columns());
      assertThat(Lists.tensor(combined, expected)).isEqualTo(expected);
    }
  }

  private static void assertRowsAreTheMatrixs(Tensor params, Lists lists, int partitions) {
    Tensor expected = lists.call(Lookup.sqrtn()).run(params);
    try (DistributedTensor tensor = DistributedTensor.of(SPARK, params, Partitioning.of(3))) {
      Dataset<Row> combined =
          EmbeddingLookup.of(tensor, Lookup.sqrtn(), lists.rows(partitions), lists.columns());
      assertThat(Lists.tensor(combined, expected)).isEqualTo(expected);
    }
  }
}
