/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.failure;
import static io.sparknd.udf.Sql.refusal;
import static io.sparknd.udf.Sql.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests tensors of decimals in rows against sums of BigDecimal. */
class DecimalTensorsTest {
  private static final int LENGTH = 4;
  private static final int UPDATES = 6;
  private static final int ROWS = 20;

  @ParameterizedTest
  @CsvSource({
    "update, 18, 18",
    "update, 5, 2",
    "add, 9, 3",
    "add, 17, 0",
    "sub, 12, 12",
    "min, 18, 4",
    "max, 10, 9",
    "add, 1, 0",
    "sub, 18, 7"
  })
  void scattersMatchBigDecimal(String word, int precision, int scale) {
    Random random = new Random(31L * precision + scale);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          RowFactory.create(
              i,
              numbers(random, precision, scale, LENGTH),
              random.ints(UPDATES, 0, LENGTH).mapToObj(at -> new int[] {at}).toArray(int[][]::new),
              numbers(random, precision, scale, UPDATES)));
    }
    String type = "array<decimal(" + precision + "," + scale + ")>";
    StructType schema =
        StructType.fromDDL("id int, t " + type + ", i array<array<int>>, u " + type);
    Dataset<Row> all = Sql.SPARK.createDataFrame(rows, schema);
    for (Dataset<Row> input : List.of(all, all.repartition(2).cache())) {
      Dataset<Row> query =
          input.selectExpr("id", "tensor_scatter_nd_" + word + "(t, i, u) AS r").orderBy("id");
      assertThat(query.schema().apply("r").dataType().simpleString()).isEqualTo(type);
      List<Row> results = query.collectAsList();
      for (int i = 0; i < ROWS; i++) {
        assertThat(results.get(i).getList(1)).isEqualTo(expected(word, rows.get(i)));
      }
    }
  }

  /** Many updates may be large if each element has few of them. */
  @Test
  void sumsAreAsLongAsTheUpdatesOfOneElement() {
    String many =
        "scatter_nd(transform(sequence(0, 9), x -> array(x %% %d)), transform(sequence(1, 10), x ->"
            + " 999999999999999999BD), array(10))";
    assertThat(text(many.formatted(10))).startsWith("[999999999999999999, 999999999999999999, ");
    assertThat(failure(many.formatted(1))).contains("intermediate sum");
  }

  /** Returns random numbers, so small that sums of seven fit the type. */
  private static BigDecimal[] numbers(Random random, int precision, int scale, int count) {
    BigInteger bound = BigInteger.TEN.pow(precision).divide(BigInteger.valueOf(UPDATES + 2));
    BigDecimal[] numbers = new BigDecimal[count];
    for (int i = 0; i < count; i++) {
      BigInteger unscaled = new BigInteger(precision * 4, random).mod(bound.add(BigInteger.ONE));
      numbers[i] = new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }
    return numbers;
  }

  private static List<BigDecimal> expected(String word, Row row) {
    BigDecimal[] result = ((BigDecimal[]) row.get(1)).clone();
    int[][] indices = (int[][]) row.get(2);
    BigDecimal[] updates = (BigDecimal[]) row.get(3);
    for (int i = 0; i < updates.length; i++) {
      BigDecimal old = result[indices[i][0]];
      result[indices[i][0]] =
          switch (word) {
            case "update" -> updates[i];
            case "add" -> old.add(updates[i]);
            case "sub" -> old.subtract(updates[i]);
            case "min" -> old.min(updates[i]);
            default -> old.max(updates[i]);
          };
    }
    return Arrays.asList(result);
  }

  @Test
  void otherFunctionsSupportDecimals() {
    assertThat(text("gather_nd(array(array(1.25BD, 2.5BD)), array(array(0, 1)))"))
        .isEqualTo("[2.50]");
    assertThat(text("gather_elements(array(1.25BD, 2.5BD), array(1), 0)")).isEqualTo("[2.50]");
    assertThat(
            text("scatter_elements(array(1.25BD, 2.5BD), array(1, 1), array(1BD, 2BD), 0, 'add')"))
        .isEqualTo("[1.25, 5.50]");
    assertThat(text("scatter_nd(array(array(1), array(1)), array(1.5BD, 2.5BD), array(3))"))
        .isEqualTo("[0.0, 4.0, 0.0]");
    assertThat(text("nd_zeros(array(2), 'decimal(5, 2)')")).isEqualTo("[0.00, 0.00]");
    assertThat(text("nd_reshape(array(1.5BD, 2.5BD), array(2, 1))")).isEqualTo("[[1.5], [2.5]]");
    assertThat(text("nd_reshape(array(1.5BD), array())")).isEqualTo("1.5");
    assertThat(text("tensor_scatter_nd_add(1.5BD, array(), 2.2BD)")).isEqualTo("3.7");
    assertThat(
            text(
                "tensor_scatter_nd_max(named_struct('shape', array(2), 'values', array(1.5BD,"
                    + " 2.5BD)), array(array(0)), array(7BD))"))
        .contains("7.0", "2.5");
  }

  @Test
  void groupsSumShortDecimals() {
    assertThat(text("scatter_nd_agg(i, v, array(2)) FROM VALUES (1, 2.5BD), (1, 1.5BD) AS t(i, v)"))
        .isEqualTo("[0.0, 4.0]");
    assertThat(refusal("scatter_nd_agg(0, cast(1 AS decimal(10, 2)), array(2))"))
        .contains("decimals of at most 9 digits", "cast the value to decimal(9, 2)");
    assertThat(text("scatter_nd_agg(0, cast(id AS decimal(18, 2)), array(2), 'max') FROM range(4)"))
        .isEqualTo("[3.00, 0.00]");
  }

  @Test
  void resultsThatDoNotFitAreErrors() {
    assertThat(failure("tensor_scatter_nd_add(array(9.5BD), array(array(0)), array(0.5BD))"))
        .contains("an element of the result is 10.0, which does not fit DECIMAL(2,1)");
    String many = "transform(sequence(1, 20), i -> 999999999999999999BD)";
    assertThat(
            failure(
                "scatter_nd(transform(sequence(1, 20), i -> array(0)), " + many + ", array(1))"))
        .contains("an intermediate sum of 20 updates of DECIMAL(18,0) may exceed 64 bits");
    assertThat(refusal("tensor_scatter_nd_mul(array(9.5BD), array(array(0)), array(0.5BD))"))
        .contains("mul of DECIMAL(2,1) is not supported");
    assertThat(refusal("tensor_scatter_nd_add(array(9.5BD), array(array(0)), array(0.25BD))"))
        .contains("array<decimal(2,2)>");
    assertThat(refusal("gather_nd(array(1), array(1.0BD))")).contains("decimal(2,1)");
    assertThat(
            List.of("mean", "div").stream()
                .map(
                    word -> "scatter_elements(array(1BD), array(0), array(1BD), 0, '" + word + "')")
                .map(Sql::refusal)
                .collect(Collectors.joining()))
        .contains("mean of DECIMAL(1,0)", "div");
  }
}
