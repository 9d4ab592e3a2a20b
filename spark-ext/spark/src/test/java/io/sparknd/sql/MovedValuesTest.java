/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TestSamples;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tensors of times, intervals, binary values and strings against Spark's own results. */
class MovedValuesTest {
  /** Types with values of every sign and size, written as SQL. */
  private enum Sample {
    DATE(
        "date",
        "NULL",
        "DATE'2026-05-01'",
        "DATE'0001-01-01'",
        "DATE'9999-12-31'",
        "DATE'1969-12-31'"),
    TIMESTAMP(
        "timestamp",
        "NULL",
        "TIMESTAMP'2026-05-01 12:34:56.789012'",
        "TIMESTAMP'1883-11-18 12:03:57'",
        "TIMESTAMP'2026-11-01 01:30:00'",
        "TIMESTAMP'9999-12-31 23:59:59.999999'"),
    TIMESTAMP_NTZ(
        "timestamp_ntz",
        "NULL",
        "TIMESTAMP_NTZ'2026-03-08 02:30:00'",
        "TIMESTAMP_NTZ'0001-01-01 00:00:00'",
        "TIMESTAMP_NTZ'1969-12-31 23:59:59.999999'",
        "TIMESTAMP_NTZ'9999-12-31 23:59:59.999999'"),
    DAY_TIME(
        "interval day to second",
        "INTERVAL '0 00:00:00' DAY TO SECOND",
        "INTERVAL '1 02:03:04.000005' DAY TO SECOND",
        "INTERVAL '-1 02:03:04.000005' DAY TO SECOND",
        "INTERVAL '106751991 04:00:54.775807' DAY TO SECOND",
        "INTERVAL '-106751991 04:00:54.775807' DAY TO SECOND"),
    HOUR_MINUTE(
        "interval hour to minute",
        "INTERVAL '00:00' HOUR TO MINUTE",
        "INTERVAL '01:30' HOUR TO MINUTE",
        "INTERVAL '-30:59' HOUR TO MINUTE",
        "INTERVAL '99:00' HOUR TO MINUTE",
        "INTERVAL '00:01' HOUR TO MINUTE"),
    YEAR_MONTH(
        "interval year to month",
        "INTERVAL '0-0' YEAR TO MONTH",
        "INTERVAL '1-2' YEAR TO MONTH",
        "INTERVAL '-1-2' YEAR TO MONTH",
        "INTERVAL '178956970-7' YEAR TO MONTH",
        "INTERVAL '-178956970-8' YEAR TO MONTH"),
    BINARY("binary", "X''", "X'00FF80'", "X''", "X'C3A9'", "X'0000000000'"),
    STRING("string", "''", "'\u00e9'", "''", "'\ue000'", "'\ud83d\ude00'");

    private final String type;
    private final String missing;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> values;

    Sample(String type, String missing, String... values) {
      this.type = type;
      this.missing = missing;
      this.values = List.of(values);
    }

    private String value(int i) {
      return values.get(Math.floorMod(i, values.size()));
    }

    /** The value of elements without one, if values are compared. */
    private String least() {
      return this == BINARY || this == STRING ? "NULL" : missing;
    }
  }

  private static List<Sample> some() {
    return TestSamples.of(List.of(Sample.values()), 5);
  }

  private final SparkSession spark = LocalSpark.session().newSession();

  @TempDir Path folder;

  @BeforeEach
  void setTimeZone() {
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
  }

  private List<String> rows(String statement) {
    return rows(spark.sql(statement));
  }

  /** Returns the rows as Spark shows them, binary values as digits. */
  private static List<String> rows(Dataset<Row> rows) {
    return rows.toJSON().collectAsList();
  }

  /** Returns {@code TABLE(...)} of rows {@code (id, v)}. */
  private static String table(Sample sample, int... idsAndValues) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      rows.add("(" + idsAndValues[i] + ", " + sample.value(idsAndValues[i + 1]) + ")");
    }
    return "TABLE(SELECT * FROM VALUES " + String.join(", ", rows) + " AS t(id, v))";
  }

  private String expected(String... values) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add("(" + i + ", " + values[i] + ")");
    }
    return "SELECT * FROM VALUES " + String.join(", ", rows) + " AS t(id, v) ORDER BY id";
  }

  @ParameterizedTest
  @EnumSource
  void updateReplacesElements(Sample sample) {
    Dataset<Row> next =
        spark.sql(
            "SELECT * FROM tensor_scatter_nd_update("
                + table(sample, 0, 0, 1, 1, 2, 2)
                + ", "
                + table(sample, 1, 2, 1, 3)
                + ", array(4)) ORDER BY id");
    assertThat(next.schema().apply("v").dataType().sql()).isEqualToIgnoringCase(sample.type);
    assertThat(rows(next))
        .isEqualTo(
            rows(expected(sample.value(0), sample.value(3), sample.value(2), sample.missing)));
  }

  @ParameterizedTest
  @EnumSource
  void scatterLeavesOtherElementsWithoutAValue(Sample sample) {
    Dataset<Row> made =
        spark.sql(
            "SELECT * FROM scatter_nd("
                + table(sample, 2, 0, 0, 1)
                + ", array(3), reduction => 'none') ORDER BY id");
    assertThat(rows(made))
        .isEqualTo(rows(expected(sample.value(1), sample.missing, sample.value(0))));
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void gatherReturnsElements(Sample sample) {
    String gathered =
        "SELECT id, v FROM gather_nd(%s, TABLE(SELECT * FROM VALUES (0, 2), (1, 0), (2, 1), (3, 9)"
            + " AS q(id, i)), array(4), index_columns => 'i', bad_indices => 'ignore') ORDER BY id";
    String params = table(sample, 0, 0, 2, 2).replace("t(id, v)", "t(i, v)");
    assertThat(rows(gathered.formatted(params)))
        .isEqualTo(
            rows(expected(sample.value(2), sample.value(0), sample.missing, sample.missing)));
  }

  /** Elements without a value are those of SQL's aggregates: any value replaces them. */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("some")
  void minAndMaxAreThoseOfSpark(Sample sample) {
    Random random = new Random(sample.ordinal());
    String tensor = table(sample, 0, 0, 1, 1, 3, 3, 5, 2, 6, 3);
    String updates = table(sample, random.ints(40, 0, 8).toArray());
    for (String word : List.of("min", "max")) {
      String wanted = sample.least().equals("NULL") ? "" : " UNION ALL " + zeros(sample);
      String all = select(tensor) + " UNION ALL " + select(updates);
      assertThat(
              rows(
                  "SELECT id, v FROM tensor_scatter_nd_"
                      + word
                      + "("
                      + tensor
                      + ", "
                      + updates
                      + ", array(8)) ORDER BY id"))
          .isEqualTo(
              rows(
                  "SELECT r.id AS id, "
                      + word
                      + "(v) AS v FROM range(8) AS r(id) LEFT JOIN ("
                      + all
                      + wanted
                      + ") AS a ON a.id = r.id GROUP BY r.id ORDER BY id"));
    }
  }

  /** Elements of intervals without a row are zero before the updates. */
  private static String zeros(Sample sample) {
    return "SELECT * FROM VALUES (2, "
        + sample.missing
        + "), (4, "
        + sample.missing
        + "), (7, "
        + sample.missing
        + ") AS z(id, v)";
  }

  private static String select(String table) {
    return table.substring("TABLE(".length(), table.length() - 1);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("some")
  void slicesAreArrays(Sample sample) {
    String slice = "array(array(%s, %s), array(%s, %s))";
    String nested =
        slice.formatted(sample.value(0), sample.value(1), sample.value(2), sample.value(3));
    String update = "array(%s, %s)".formatted(sample.value(3), sample.value(0));
    String missing = slice.replace("%s", sample.missing.equals("NULL") ? "NULL" : sample.missing);
    String call =
        "SELECT * FROM tensor_scatter_nd_update(TABLE(SELECT 0 AS i, "
            + nested
            + " AS v), TABLE(SELECT 0 AS i, 1 AS j, "
            + update
            + " AS v), array(2, 2, 2)) ORDER BY i";
    String typed = "CAST(%s AS array<array<" + sample.type + ">>)";
    assertThat(rows(call))
        .isEqualTo(
            rows(
                "SELECT * FROM VALUES (0, "
                    + typed.formatted(
                        slice.formatted(
                            sample.value(0), sample.value(1), sample.value(3), sample.value(0)))
                    + "), (1, "
                    + typed.formatted(missing)
                    + ") AS t(i, v)"));
    assertThat(
            rows(
                "SELECT v FROM gather_nd(TABLE("
                    + call
                    + "), TABLE(SELECT 0 AS i, 1 AS j), array(2, 2, 2), index_columns =>"
                    + " array('i', 'j'))"))
        .isEqualTo(rows("SELECT " + update + " AS v"));
  }

  @Test
  void slicesMayBeFlatArrays() {
    assertThat(
            rows(
                "SELECT v FROM tensor_scatter_nd_max(TABLE(SELECT 0 AS i, array(DATE'2026-01-01',"
                    + " NULL, DATE'2026-01-01', DATE'2026-01-01') AS v), TABLE(SELECT 0 AS i,"
                    + " array(DATE'2025-01-01', DATE'2025-01-01', DATE'2027-01-01',"
                    + " DATE'2025-01-01') AS v), array(1, 2, 2))"))
        .containsExactly("{\"v\":[\"2026-01-01\",\"2025-01-01\",\"2027-01-01\",\"2026-01-01\"]}");
  }

  /** A result with elements that no update named is the tensor of the next call. */
  @ParameterizedTest
  @CsvSource({"min, 2026-05-01", "max, 2026-05-01", "update, 2026-05-01"})
  void nullOfATensorIsAnElementWithoutAValue(String word, String result) {
    String made =
        "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, DATE'2026-04-01' AS v), array(3),"
            + " reduction => 'max')";
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_"
                    + word
                    + "(TABLE("
                    + made
                    + "), TABLE(SELECT 0L AS i, DATE'2026-05-01' AS v), array(3)) ORDER BY i"))
        .containsExactly(
            "{\"i\":0,\"v\":\"" + result + "\"}", "{\"i\":1,\"v\":\"2026-04-01\"}", "{\"i\":2}");
    assertThat(
            rows(
                "SELECT * FROM gather_nd(TABLE("
                    + made
                    + "), TABLE(SELECT 0 AS i UNION ALL SELECT 1), array(3)) ORDER BY i"))
        .containsExactly("{\"i\":0}", "{\"i\":1,\"v\":\"2026-04-01\"}");
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("some")
  void nullUpdatesAreRefused(Sample sample) {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, CAST(NULL AS "
                        + sample.type
                        + ") AS v), array(3), reduction => 'none')"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is null");
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("some")
  void filesAreReadAsQueriesAre(Sample sample) {
    String path = folder.resolve("t").toString();
    Dataset<Row> written =
        spark.sql(
            "SELECT id, element_at(array("
                + String.join(", ", sample.values)
                + "), int(id % 4) + 1) AS v FROM range(0, 100, 1, 3)");
    written.write().parquet(path);
    String call =
        "SELECT sum(hash(v, id)) AS h, count(v) AS n FROM gather_nd(TABLE(%s), TABLE(SELECT id * 7 %% 100 AS id"
            + " FROM range(1000)), array(100))";
    written.createOrReplaceTempView("written");
    assertThat(rows(call.formatted("SELECT * FROM parquet.`" + path + "`")))
        .isEqualTo(rows(call.formatted("SELECT * FROM written")))
        .isEqualTo(
            rows(
                "SELECT sum(hash(v, written.id)) AS h, count(v) AS n FROM written JOIN range(1000) AS r(k) ON"
                    + " written.id = r.k * 7 % 100"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DATE'2026-01-01' | add | add is not defined for date; defined are none, min, max, fmin, fmax",
        "DATE'2026-01-01' | mul | mul is not defined for date; defined are none, min, max, fmin, fmax",
        "DATE'2026-01-01' | mean | mean is not defined for date",
        "TIMESTAMP'2026-01-01 00:00:00' | sub | sub is not defined for timestamp;",
        "TIMESTAMP_NTZ'2026-01-01 00:00:00' | add | add is not defined for timestamp_ntz;",
        "INTERVAL 1 DAY | add | add is not defined for interval day;",
        "INTERVAL 1 MONTH | div | div is not defined for interval month;",
        "X'00' | add | add is not defined for binary; defined are none, min, max, fmin, fmax:",
        "X'00' | mean | mean is not defined for binary; defined are none, min, max, fmin, fmax:",
      })
  void otherReductionsAreRefused(String value, String reduction, String message) {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, "
                        + value
                        + " AS v), array(3), reduction => '"
                        + reduction
                        + "')"))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition())
                  .isEqualTo("SPARKND_UNSUPPORTED_REDUCTION.MOVED_REDUCTION");
              assertThat(e.getMessage()).contains(message);
            });
  }

  @Test
  void theDefaultReductionOfScatterNdIsRefusedToo() {
    assertThatThrownBy(
            () ->
                spark.sql("SELECT * FROM scatter_nd(TABLE(SELECT 1, DATE'2026-01-01'), array(3))"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("add is not defined for date");
  }

  @Test
  void updatesWidenWithoutLoss() {
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_update(TABLE(SELECT 0 AS i, TIMESTAMP'2026-01-01"
                    + " 00:00:00' AS v), TABLE(SELECT 0 AS i, DATE'2026-05-01' AS v), array(1))"))
        .isEqualTo(rows("SELECT 0 AS i, TIMESTAMP'2026-05-01 00:00:00' AS v"));
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_max(TABLE(SELECT 0 AS i, INTERVAL '1 0:0:1' DAY TO"
                    + " SECOND AS v), TABLE(SELECT 0 AS i, INTERVAL '2' DAY AS v), array(1))"))
        .isEqualTo(rows("SELECT 0 AS i, INTERVAL '2 0:0:0' DAY TO SECOND AS v"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "INTERVAL '1' DAY, INTERVAL '1 02:00:00' DAY TO SECOND",
        "INTERVAL '1' YEAR, INTERVAL '1-2' YEAR TO MONTH",
        "DATE'2026-01-01', TIMESTAMP'2026-01-01 12:00:00'",
        "DATE'2026-01-01', 20000",
        "TIMESTAMP'2026-01-01 12:00:00', 1767225600000000L",
        "TIMESTAMP'2026-01-01 12:00:00', TIMESTAMP_NTZ'2026-03-08 02:30:00'",
        "TIMESTAMP_NTZ'2026-01-01 12:00:00', TIMESTAMP'2026-11-01 05:30:00Z'",
        "INTERVAL '1' DAY, INTERVAL '1' YEAR",
        "X'00', 'text'",
        "20000, DATE'2026-01-01'",
      })
  void updatesThatCouldLoseSomethingAreRefused(String tensor, String update) {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM tensor_scatter_nd_update(TABLE(SELECT 0 AS i, "
                        + tensor
                        + " AS v), TABLE(SELECT 0 AS i, "
                        + update
                        + " AS v), array(1))"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("value column 'v' is");
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void fillIsAValueOfTheType(Sample sample) {
    String gather =
        "SELECT v FROM gather_nd("
            + table(sample, 0, 0)
            + ", TABLE(SELECT 7 AS id), array(1), fill => ";
    assertThat(rows(gather + sample.value(3) + ")"))
        .isEqualTo(rows("SELECT " + sample.value(3) + " AS v"));
    assertThatThrownBy(() -> rows(gather + "1.5D)"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("fill value 1.5 is not a " + sample.type);
  }

  /** Java's old classes of dates lack ten days of 1582, which Spark has. */
  @ParameterizedTest
  @ValueSource(strings = {"DATE'1582-10-10'", "TIMESTAMP'1582-10-10 01:02:03.000004'"})
  void fillIsTheSameDay(String day) {
    assertThat(
            rows(
                "SELECT v = "
                    + day
                    + " AS same FROM gather_nd(TABLE(SELECT 0 AS i, "
                    + day
                    + " AS v), TABLE(SELECT 7 AS i), array(1), fill => "
                    + day
                    + ")"))
        .containsExactly("{\"same\":true}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "INTERVAL '1' DAY, INTERVAL '1 02:00:00' DAY TO SECOND",
        "INTERVAL '1' YEAR, INTERVAL '1-2' YEAR TO MONTH",
        "INTERVAL '01:00' HOUR TO MINUTE, INTERVAL '1' SECOND",
      })
  void fillThatWouldLoseUnitsIsRefused(String element, String fill) {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT v FROM gather_nd(TABLE(SELECT 0 AS i, "
                        + element
                        + " AS v), TABLE(SELECT 7 AS i), array(1), fill => "
                        + fill
                        + ")"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("is not a interval");
  }

  @Tag("slow")
  @Test
  void datasetsTakeJavaValuesAsFill() {
    check("DATE'2026-01-01'", LocalDate.of(2026, 5, 1), "DATE'2026-05-01'");
    Instant instant = Instant.parse("2026-05-01T00:00:00Z");
    check("TIMESTAMP'2026-01-01 00:00:00'", instant, "TIMESTAMP'2026-05-01 00:00:00Z'");
    check(
        "TIMESTAMP'2026-01-01 00:00:00'",
        Timestamp.from(instant),
        "TIMESTAMP'2026-05-01 00:00:00Z'");
    check(
        "TIMESTAMP_NTZ'2026-01-01 00:00:00'",
        LocalDateTime.of(2026, 5, 1, 2, 30),
        "TIMESTAMP_NTZ'2026-05-01 02:30:00'");
    check("INTERVAL '1' SECOND", Duration.ofSeconds(7), "INTERVAL '7' SECOND");
    check("INTERVAL '1' MONTH", Period.ofMonths(7), "INTERVAL '7' MONTH");
    check("X'00'", new byte[] {(byte) 0xFF, 0}, "X'FF00'");
  }

  private void check(String element, Object fill, String expected) {
    Dataset<Row> params = spark.sql("SELECT 0 AS i, " + element + " AS v");
    Dataset<Row> filled =
        GatherNd.of(params, spark.sql("SELECT 9 AS i"))
            .withShape(Shape.of(1))
            .withBadIndices(BadIndices.fill(fill))
            .toDataset();
    assertThat(rows(filled.select("v"))).isEqualTo(rows("SELECT " + expected + " AS v"));
  }

  @Test
  void datasetsMoveTheSameValues() {
    Dataset<Row> seen =
        spark.sql("SELECT * FROM VALUES (0, DATE'2026-01-02'), (2, DATE'2026-01-01') AS t(i, day)");
    Dataset<Row> latest = ScatterNd.of(seen, Shape.of(3)).reducedBy(Scatter.max()).toDataset();
    assertThat(latest.schema()).isEqualTo(StructType.fromDDL("i bigint not null, day date"));
    Dataset<Row> next =
        TensorScatterNd.of(
                Scatter.min(),
                latest,
                spark.sql(
                    "SELECT * FROM VALUES (0, DATE'2026-01-01'), (1, DATE'2026-01-05') AS t(i, day)"))
            .withShape(Shape.of(3))
            .toDataset();
    assertThat(rows(next.orderBy("i")))
        .containsExactly(
            "{\"i\":0,\"day\":\"2026-01-01\"}",
            "{\"i\":1,\"day\":\"2026-01-05\"}",
            "{\"i\":2,\"day\":\"2026-01-01\"}");
  }

  @Test
  void theValueThatStandsForNullIsRefused() {
    String query =
        "SELECT * FROM scatter_nd(TABLE(SELECT i, timestamp_micros(-9223372036854775808 + i) AS v"
            + " FROM VALUES (%s) AS t(i)), array(3), reduction => 'max')";
    assertThatThrownBy(() -> spark.sql(query.formatted("0L")).collectAsList())
        .hasStackTraceContaining("which stands for NULL in a tensor");
    assertThat(
            spark
                .sql(query.formatted("1L"))
                .selectExpr("i", "unix_micros(v) AS m")
                .toJSON()
                .collectAsList())
        .contains("{\"i\":1,\"m\":-9223372036854775807}");
  }

  @Test
  void binaryHoldsEveryByte() {
    String bytes =
        java.util.stream.IntStream.range(0, 256)
            .mapToObj("%02X"::formatted)
            .collect(Collectors.joining());
    spark.sql("SELECT 0 AS i, X'" + bytes + "' AS v").createOrReplaceTempView("all_bytes");
    assertThat(
            spark
                .sql(
                    "SELECT hex(v) FROM gather_nd(TABLE(all_bytes), TABLE(SELECT 0 AS i FROM"
                        + " range(3)), array(1))")
                .distinct()
                .first()
                .getString(0))
        .isEqualTo(bytes);
  }

  /** Tables are partitioned by dates more often than by anything else, and Spark puts them last. */
  @Test
  void aDateThatPartitionsTheTableIsNoValueByPosition() {
    spark.sql("DROP TABLE IF EXISTS moved_days");
    spark.sql("CREATE TABLE moved_days (id BIGINT, day DATE) USING parquet PARTITIONED BY (day)");
    try {
      String call = "SELECT * FROM scatter_nd(TABLE(%s), array(3), 'max'%s)";
      String with = "WITH d AS (SELECT * FROM moved_days) ";
      assertThatThrownBy(() -> spark.sql(call.formatted("moved_days", "")).collectAsList())
          .hasMessageContaining("column 'day' is the last of");
      assertThatThrownBy(() -> spark.sql(with + call.formatted("d", "")).collectAsList())
          .hasMessageContaining("column 'day' is the last of");
      assertThat(rows(with + call.formatted("d", ", value_column => 'day'"))).hasSize(3);
      String computed = "SELECT id, coalesce(day, DATE'2026-01-01') AS since FROM moved_days";
      assertThat(rows(call.formatted(computed, ""))).hasSize(3);
    } finally {
      spark.sql("DROP TABLE moved_days");
    }
  }

  /** Digits of decimals with more than 18 of them are in the order of the decimals. */
  @Test
  void longDecimalsOrderUpdates() {
    String updates =
        "TABLE(SELECT i, CAST(v AS DECIMAL(38, 0)) AS v, 1 AS ts FROM VALUES (0, '4294967296'),"
            + " (0, '1'), (1, '-1'), (1, '-79228162514264337593543950336'), (2, '-4294967297'),"
            + " (2, '340282366920938463463374607431768211') AS u(i, v))";
    for (String order : List.of("'v'", "'ts'")) {
      String call =
          "SELECT id, v FROM tensor_scatter_nd_update(TABLE(SELECT id, CAST(0 AS DECIMAL(38, 0)) AS"
              + " v FROM range(3)), %s, array(3), index_columns => '%s', order_by => %s) ORDER BY 1";
      String renamed = updates.replace("SELECT i,", "SELECT i AS id,");
      assertThat(rows(call.formatted(renamed, "id", order)))
          .containsExactly(
              "{\"id\":0,\"v\":4294967296}",
              "{\"id\":1,\"v\":-1}",
              "{\"id\":2,\"v\":340282366920938463463374607431768211}");
    }
  }

  /** A column that orders updates is not the value if another one is. */
  @Test
  void valuesAreBesideNamedIndicesAndOrder() {
    String call =
        "SELECT * FROM scatter_nd(TABLE(SELECT * FROM VALUES (0, 7, 100), (0, 8, 200) AS e(id, v,"
            + " ts)), array(1), reduction => 'none', index_columns => 'id', order_by => %s)";
    assertThat(spark.sql(call.formatted("'ts'")).columns()).containsExactly("id", "v");
    assertThat(rows(call.formatted("'ts'"))).containsExactly("{\"id\":0,\"v\":8}");
    assertThat(rows(call.formatted("array('ts', 'v')"))).containsExactly("{\"id\":0,\"ts\":200}");
  }

  @Test
  void explainShowsTheType() {
    assertThat(
            spark
                .sql(
                    "EXPLAIN SELECT * FROM scatter_nd(TABLE(SELECT 1 AS i, DATE'2026-01-01' AS v),"
                        + " array(3), 'max')")
                .first()
                .getString(0))
        .contains("scatter_nd(shape => date[3], reduction => max, index_columns => [i]");
  }
}
