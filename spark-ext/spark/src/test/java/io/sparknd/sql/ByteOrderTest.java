/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests min and max of strings and binary values, whose order is that of unsigned bytes. */
class ByteOrderTest {
  private static final int SLICES = 12;
  private static final int[] BYTES = {0, 1, '0', '1', 0x7f, 0x80, 0xc3, 0xa9, 0xee, 0xff};

  private final SparkSession spark = LocalSpark.session().newSession();

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  /** Bytes of every value and length, among them such as are no UTF-8. */
  private static List<Row> updates(Random random) {
    return IntStream.range(0, 80)
        .mapToObj(i -> RowFactory.create(random.nextLong(SLICES), bytes(random)))
        .toList();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) BYTES[random.nextInt(BYTES.length)];
    }
    return bytes;
  }

  private Dataset<Row> table(List<Row> updates, String type, int partitions) {
    return spark
        .createDataFrame(updates, StructType.fromDDL("i bigint, v binary"))
        .selectExpr("i", "CAST(v AS " + type + ") AS v")
        .repartition(partitions);
  }

  /** Returns the extremes by slice as hexadecimal digits; empty where there are no updates. */
  private static List<Optional<String>> model(List<Row> updates, int sign) {
    List<byte[]> extremes = new ArrayList<>();
    IntStream.range(0, SLICES).forEach(i -> extremes.add(null));
    for (Row row : updates) {
      byte[] value = row.getAs(1);
      byte[] now = extremes.get((int) row.getLong(0));
      if (now == null || sign * Arrays.compareUnsigned(value, now) > 0) {
        extremes.set((int) row.getLong(0), value);
      }
    }
    HexFormat hex = HexFormat.of().withUpperCase();
    return extremes.stream().map(Optional::ofNullable).map(v -> v.map(hex::formatHex)).toList();
  }

  private static List<Optional<String>> shown(Dataset<Row> slices) {
    return slices.selectExpr("i", "hex(CAST(v AS binary))").orderBy("i").collectAsList().stream()
        .map(row -> Optional.ofNullable(row.getString(1)))
        .toList();
  }

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void extremesAreThoseOfSparkAtEveryPartitionCount(@ForAll long seed) {
    Random random = new Random(seed);
    List<Row> updates = updates(random);
    String type = random.nextBoolean() ? "string" : "binary";
    boolean isMax = random.nextBoolean();
    List<Optional<String>> model = model(updates, isMax ? 1 : -1);
    Dataset<Row> table = table(updates, type, 1 + random.nextInt(7));
    table.createOrReplaceTempView("updates");
    String word = isMax ? "max" : "min";
    Dataset<Row> ofSpark =
        spark.sql(
            "SELECT r.i AS i, "
                + word
                + "(v) AS v FROM (SELECT id AS i FROM range(12)) AS r LEFT JOIN updates AS u ON"
                + " u.i = r.i GROUP BY r.i");
    assertThat(shown(ofSpark)).isEqualTo(model);
    String call = "SELECT * FROM scatter_nd(TABLE(updates), array(12), '" + word + "')";
    assertThat(shown(spark.sql(call))).as(type).isEqualTo(model);
    Scatter how = isMax ? Scatter.max() : Scatter.min();
    Dataset<Row> first =
        ScatterNd.of(table.where("i % 2 = 0"), Shape.of(SLICES)).reducedBy(how).toDataset();
    Dataset<Row> all =
        TensorScatterNd.of(how, first, table).withShape(Shape.of(SLICES)).toDataset();
    assertThat(all.schema().apply("v").dataType().simpleString()).isEqualTo(type);
    assertThat(shown(all)).as(type).isEqualTo(model);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "min, '', 'b'",
        "max, '\ud83d\ude00', 'b'",
        "fmin, '', 'b'",
        "fmax, '\ud83d\ude00', 'b'"
      })
  void elementsWithoutAnUpdateAreNull(String reduction, String first, String last) {
    for (String dtype : List.of("", ", dtype => 'string'")) {
      assertThat(
              rows(
                  "SELECT * FROM scatter_nd(TABLE(SELECT * FROM VALUES (0, '\ue000'), (0, ''), (0,"
                      + " '\ud83d\ude00'), (2, 'b') AS t(i, v)), array(3), '"
                      + reduction
                      + "'"
                      + dtype
                      + ") ORDER BY i"))
          .isEqualTo(
              rows(
                  "SELECT * FROM VALUES (0, "
                      + first
                      + "), (1, NULL), (2, "
                      + last
                      + ") AS t(i, v)"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"'a', 'ab', 'b', 'B'", "X'61', X'6162', X'62', X'42'"})
  void slicesAreArraysOfThem(String a, String ab, String b, String upper) {
    String tensor = "SELECT 0 AS i, array(array(%s, NULL), array(%s, %s)) AS v";
    String updates = "SELECT 0 AS i, array(array(%s, %s), array(%s, %s)) AS v";
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_max(TABLE("
                    + tensor.formatted(a, b, ab)
                    + "), TABLE("
                    + updates.formatted(ab, upper, a, b)
                    + "), array(2, 2, 2)) ORDER BY i"))
        .isEqualTo(
            rows(
                updates.formatted(ab, upper, b, b)
                    + " UNION ALL SELECT 1, array(array(NULL, NULL), array(NULL, NULL))"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'none'", "'add'"})
  void otherReductionsOfStringsStartFromEmptyStrings(String reduction) {
    assertThat(
            rows(
                "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, 'a' AS v), array(2), "
                    + reduction
                    + ") ORDER BY i"))
        .containsExactly("{\"i\":0,\"v\":\"\"}", "{\"i\":1,\"v\":\"a\"}");
  }

  @Test
  void otherCollationsAreRefused() {
    String value = "CAST('a' AS STRING COLLATE UTF8_LCASE)";
    String scatter =
        "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, %s AS v), array(2), reduction => '%s')";
    for (String reduction : List.of("max", "none")) {
      assertThatThrownBy(() -> rows(scatter.formatted(value, reduction)))
          .hasMessageContaining("value column 'v' is string collate UTF8_LCASE")
          .hasMessageContaining("write CAST(v AS string) if");
      assertThatThrownBy(() -> rows(scatter.formatted("array(" + value + ")", reduction)))
          .hasMessageContaining("write CAST(v AS array<string>) if");
    }
    assertThat(rows(scatter.formatted("CAST(" + value + " AS string)", "max"))).hasSize(2);
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM tensor_scatter_nd_min(TABLE(SELECT 0 AS i, 'a' AS v),"
                        + " TABLE(SELECT 0 AS i, "
                        + value
                        + " AS v), array(1))"))
        .hasMessageContaining("value column 'v' is string collate UTF8_LCASE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "DATE'2026-01-01'", "X'00'", "true"})
  void updatesOfOtherTypesAreRefused(String update) {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM tensor_scatter_nd_max(TABLE(SELECT 0 AS i, 'a' AS v),"
                        + " TABLE(SELECT 0 AS i, "
                        + update
                        + " AS v), array(1))"))
        .hasMessageContaining("value column 'v' is");
  }

  @Test
  void nullUpdatesAreRefused() {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, CAST(NULL AS string) AS v),"
                        + " array(3), reduction => 'max')"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is null");
  }

  @Test
  void aResultWithoutNullIsTheTensorOfAGather() {
    String made =
        "SELECT i, coalesce(v, 'none') AS v FROM scatter_nd(TABLE(SELECT 1 AS i, 'a' AS v),"
            + " array(2), 'max')";
    assertThat(
            rows(
                "SELECT * FROM gather_nd(TABLE("
                    + made
                    + "), TABLE(SELECT explode(array(0, 1)) AS i), array(2)) ORDER BY i"))
        .containsExactly("{\"i\":0,\"v\":\"none\"}", "{\"i\":1,\"v\":\"a\"}");
  }
}
