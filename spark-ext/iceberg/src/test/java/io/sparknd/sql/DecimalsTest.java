/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests tensors of decimals in tables against sums of BigDecimal. */
class DecimalsTest {
  private static final int SLICES = 5;
  private static final int WIDTH = 3;

  private final SparkSession spark = LocalSpark.session().newSession();

  private String value(String select) {
    return spark.sql(select).first().get(0).toString();
  }

  private List<String> rows(String select) {
    return spark.sql(select).collectAsList().stream().map(Row::toString).toList();
  }

  /**
   * The input of one trial.
   *
   * @param nines percentage of values that are as large as possible
   */
  record Setting(int precision, int scale, String word, int nines, long seed) {
    String type() {
      return "decimal(" + precision + ", " + scale + ")";
    }

    BigDecimal next(Random random) {
      BigInteger bound = BigInteger.TEN.pow(precision);
      BigInteger unscaled =
          random.nextInt(100) < nines
              ? bound.subtract(BigInteger.ONE)
              : new BigInteger(precision * 3, random).mod(bound);
      return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }

    BigDecimal reduced(BigDecimal element, BigDecimal update) {
      return switch (word) {
        case "update" -> update;
        case "add" -> element.add(update);
        case "sub" -> element.subtract(update);
        case "min" -> element.min(update);
        default -> element.max(update);
      };
    }
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 38),
            Arbitraries.integers().between(0, 38),
            Arbitraries.of("update", "add", "sub", "min", "max"),
            Arbitraries.of(0, 0, 30),
            Arbitraries.longs())
        .as((p, s, word, nines, seed) -> new Setting(p, Math.min(p, s), word, nines, seed))
        .filter(each -> !each.type().equals("decimal(20, 0)"));
  }

  @Tag("slow")
  @Property(tries = 16, shrinking = ShrinkingMode.OFF)
  void scatterMatchesBigDecimal(@ForAll("settings") Setting setting) {
    Random random = new Random(setting.seed());
    BigDecimal[][] tensor = slices(setting, random, SLICES);
    List<Integer> indices = random.ints(8, 0, SLICES).boxed().toList();
    BigDecimal[][] updates = slices(setting, random, indices.size());
    view("dec_tensor", setting, List.of(0, 1, 2, 3, 4), tensor);
    view("dec_updates", setting, indices, updates);
    Dataset<Row> query;
    try {
      query =
          spark.sql(
              "SELECT id, v FROM tensor_scatter_nd_"
                  + setting.word()
                  + "(TABLE(dec_tensor), TABLE(dec_updates), array(5, 3), order_by => 'place')"
                  + " ORDER BY id");
    } catch (Exception e) {
      assertThat(e).isInstanceOf(AnalysisException.class).hasMessageContaining("cast the values");
      assertThat(setting.precision()).isGreaterThan(18);
      assertThat(setting.word()).isIn("min", "max");
      return;
    }
    for (int i = 0; i < indices.size(); i++) {
      BigDecimal[] slice = tensor[indices.get(i)];
      for (int j = 0; j < WIDTH; j++) {
        slice[j] = setting.reduced(slice[j], updates[i][j]);
      }
    }
    boolean fits =
        Arrays.stream(tensor)
            .flatMap(Arrays::stream)
            .allMatch(each -> each.precision() <= setting.precision());
    if (!fits) {
      assertThatThrownBy(query::collectAsList).hasMessageContaining("does not fit");
      return;
    }
    assertThat(query.schema().apply("v").dataType().simpleString())
        .isEqualTo("array<" + setting.type().replace(" ", "") + ">");
    List<Row> rows = query.collectAsList();
    for (int i = 0; i < SLICES; i++) {
      assertThat(rows.get(i).getList(1)).isEqualTo(Arrays.asList(tensor[i]));
    }
  }

  private static BigDecimal[][] slices(Setting setting, Random random, int count) {
    BigDecimal[][] slices = new BigDecimal[count][WIDTH];
    Arrays.stream(slices).forEach(slice -> Arrays.setAll(slice, j -> setting.next(random)));
    return slices;
  }

  private void view(String name, Setting setting, List<Integer> indices, BigDecimal[][] slices) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < slices.length; i++) {
      rows.add(RowFactory.create(indices.get(i), i, slices[i].clone()));
    }
    String place = name.equals("dec_tensor") ? "" : "place int, ";
    StructType schema = StructType.fromDDL("id int, place int, v array<" + setting.type() + ">");
    Dataset<Row> all = spark.createDataFrame(rows, schema);
    (place.isEmpty() ? all.drop("place") : all).createOrReplaceTempView(name);
  }

  @Test
  void gatherMovesEveryDecimal() {
    assertThat(
            rows(
                "SELECT * FROM gather_nd(TABLE(SELECT * FROM VALUES (0, 1.25BD), (2, -2.50BD) AS"
                    + " t(i, price)), TABLE(SELECT * FROM VALUES (2, 'a'), (1, 'b'), (9, 'c') AS"
                    + " q(i, l)), array(3), fill => 7) ORDER BY l"))
        .containsExactly("[2,a,-2.50]", "[1,b,0.00]", "[9,c,7.00]");
    assertThat(
            rows(
                "SELECT m, e FROM gather_nd(TABLE(SELECT 0 AS i,"
                    + " array(array(99999999999999999999999999999999999.999BD,"
                    + " -0.001BD)) AS m), TABLE(SELECT 0 AS i, 0 AS j, 1 AS k, 'x' AS e),"
                    + " array(1, 1, 2), index_columns => array('i', 'j', 'k'))"))
        .containsExactly("[-0.001,x]");
    assertThat(
            value(
                "SELECT v FROM gather_nd(TABLE(SELECT 0 AS i, cast(1 AS decimal(38, 0)) AS v),"
                    + " TABLE(SELECT 9 AS i), array(2), fill => 0)"))
        .isEqualTo("0");
  }

  @Test
  void sumsThatTemporarilyExceedInt64AreExact() {
    // the sum of 20 values exceeds int64, and 20 negative values bring it back to 0
    assertThat(
            value(
                "SELECT v FROM scatter_nd(TABLE(SELECT 0 AS i, cast(if(id < 20, 1, -1) *"
                    + " 999999999999999999BD AS decimal(18, 0)) AS v FROM range(40)), array(1))"))
        .isEqualTo("0");
  }

  @Test
  void narrowerUpdatesAndIntegersWiden() {
    for (String update : List.of("2.5BD", "cast(2 AS smallint)", "cast(3 AS tinyint)")) {
      assertThat(
              spark
                  .sql(
                      "SELECT v, "
                          + update
                          + " FROM tensor_scatter_nd_max(TABLE(SELECT 0 AS i, cast(1.5 AS"
                          + " decimal(8, 2)) AS v), TABLE(SELECT 0, "
                          + update
                          + "), array(1))")
                  .first())
          .satisfies(
              row -> assertThat(row.getDecimal(0)).isEqualByComparingTo(row.get(1).toString()));
    }
  }

  @Test
  void flatSlicesStayFlat() {
    assertThat(
            rows(
                "SELECT v FROM tensor_scatter_nd_add(TABLE(SELECT 0 AS i, cast(array(1, 2, 3, 4) AS"
                    + " array<decimal(12, 1)>) AS v), TABLE(SELECT 0 AS i, 2 AS j,"
                    + " 0.5BD AS u), array(1, 2, 2), value_column => 'u')"))
        .containsExactly("[ArraySeq(1.0, 2.0, 3.5, 4.0)]");
    assertThat(
            rows(
                "SELECT v FROM scatter_nd(TABLE(SELECT 0 AS i, cast(array(1, 2, 3, 4) AS"
                    + " array<decimal(12, 1)>) AS v FROM range(2)), array(1, 2, 2))"))
        .containsExactly("[ArraySeq(ArraySeq(2.0, 4.0), ArraySeq(6.0, 8.0))]");
  }

  @Test
  void nullsAndOverflowsAreReportedWithTheirSlice() {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT 3 AS i, 9.9BD AS price FROM range(2)),"
                        + " array(5))"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("slice [3] of 'price' has an element that is 19.8")
        .hasMessageContaining("does not fit DECIMAL(2,1)");
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT 3 AS i, array(9.9BD, NULL) AS price),"
                        + " array(5, 2))"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scatter_nd(TABLE(SELECT 0, 1.5BD), array(2), 'mul')      | mul of DECIMAL(2,1) is not supported
          scatter_nd(TABLE(SELECT 0, 1.5BD), array(2), 'mean')     | cast the values to double
          scatter_nd(TABLE(SELECT 0, cast(1 AS decimal(38, 18))), array(2), 'max') | cast the values to decimal(18, 18)
          scatter_nd(TABLE(SELECT 0, array(1.5BD) AS v), array(2)) | shape [2] has 1 dimensions, and table 'updates' is of a tensor of 2
          scatter_nd(TABLE(SELECT 0, 1.5BD AS v), array(2, 2))     | shape [2, 2] has 2 dimensions, and table 'updates' is of a tensor of 1
          tensor_scatter_nd_add(TABLE(SELECT 0, 1.5BD), TABLE(SELECT 0, 1.25BD AS v), array(2)) | value column 'v' is decimal(3,2)
          tensor_scatter_nd_add(TABLE(SELECT 0, 1.5BD), TABLE(SELECT 0, 1.5D AS v), array(2))   | value column 'v' is double
          tensor_scatter_nd_add(TABLE(SELECT 0, 1.5D), TABLE(SELECT 0, 1.5BD AS v), array(2))   | value column 'v' is decimal(2,1)
          gather_nd(TABLE(SELECT 0, 1.5BD), TABLE(SELECT 9), array(2), fill => 0.25)            | fill value 0.25 is not supported for DECIMAL(2,1)
          gather_nd(TABLE(SELECT 0, 1.5BD), TABLE(SELECT 9), array(2), fill => double('NaN'))   | fill value NaN is no
          gather_nd(TABLE(SELECT 0, 1.5BD), TABLE(SELECT 9), array(2), fill => 'a')             | fill value a is no
          gather_nd(TABLE(SELECT 0, cast(1 AS decimal(38, 0))), TABLE(SELECT 9), array(2), fill => 7) | beyond 18 digits, it must be 0
          """)
  void unsupportedCallsOnDecimalsAreAnalysisErrors(String call, String message) {
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(message.strip());
  }

  @Test
  void datasetsAndProceduresSupportDecimals() {
    Dataset<Row> tensor = spark.sql("SELECT 1 AS i, 2.5BD AS v");
    Dataset<Row> updates = spark.sql("SELECT 1 AS i, 1.5BD AS v");
    List<Row> rows =
        TensorScatterNd.of(Scatter.add(), tensor, updates)
            .withShape(Shape.of(2))
            .toDataset()
            .collectAsList();
    rows = rows.stream().sorted(Comparator.comparing(row -> row.getInt(0))).toList();
    assertThat(rows).extracting(Row::toString).containsExactly("[0,0.0]", "[1,4.0]");
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    tensor.createOrReplaceTempView("dec_info");
    SparkSession.setActiveSession(spark);
    assertThat(rows("CALL nd.system.info('dec_info', array(2))"))
        .containsExactly("[decimal(2,1),ArraySeq(2),ArraySeq(i),v,2,1]");
    assertThat(rows("CALL nd.system.check('dec_info', array(2))")).isEmpty();
  }
}
