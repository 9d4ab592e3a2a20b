/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Compares queries of random filters, columns and limits over a call with the same queries over the
 * rows of the call, which are computed without pushdown.
 */
class PushdownPropertyTest {
  private static final int TRIES = 2;
  private static final int MANY = 7;
  private static final String RULES =
      "io.sparknd.sql.internal.plan.GatherPushdown,io.sparknd.sql.internal.plan.UnusedColumns,"
          + "io.sparknd.sql.internal.plan.ScatterPushdown,"
          + "io.sparknd.sql.internal.plan.JoinKeyPushdown";

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void pushedQueriesGiveWhatTheWholeResultGives(@ForAll long seed) {
    check(new Random(seed), 1);
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void propertyHoldsInManyTries(@ForAll long seed) {
    check(new Random(seed), 3);
  }

  private static void check(Random random, int queries) {
    SparkSession spark = LocalSpark.session().newSession();
    spark.conf().set("spark.sql.adaptive.enabled", random.nextBoolean());
    RandomCall call = RandomCall.of(spark, random);
    List<Row> whole;
    spark.conf().set("spark.sql.optimizer.excludedRules", RULES);
    try {
      Dataset<Row> rows = spark.sql("SELECT * FROM " + call.text());
      whole = rows.collectAsList();
      spark.createDataFrame(whole, rows.schema()).createOrReplaceTempView("whole");
    } catch (RuntimeException e) {
      spark.conf().unset("spark.sql.optimizer.excludedRules");
      checkFails(spark, call, e);
      return;
    }
    spark.conf().unset("spark.sql.optimizer.excludedRules");
    for (int i = 0; i < queries; i++) {
      checkQuery(spark, call, random);
    }
  }

  private static void checkQuery(SparkSession spark, RandomCall call, Random random) {
    String filter = call.filter(random);
    String columns = "SELECT " + call.columns(random) + " FROM ";
    List<String> expected = rows(spark, columns + "whole" + filter);
    String pushed = columns + call.text() + filter;
    assertThat(rows(spark, pushed)).as(pushed).containsExactlyInAnyOrderElementsOf(expected);
    if (random.nextBoolean()) {
      checkJoin(spark, call, columns, filter, random);
    }
    int most = random.nextInt(5);
    List<String> limited = rows(spark, pushed + " LIMIT " + most);
    assertThat(limited).as(pushed).hasSize(Math.min(most, expected.size()));
    assertThat(without(expected, limited)).hasSize(expected.size() - limited.size());
  }

  /** Checks a query joined with few indices, some of them out of bounds. */
  private static void checkJoin(
      SparkSession spark, RandomCall call, String columns, String filter, Random random) {
    String keys =
        "(SELECT cast(x * %d - 1 AS %s) AS k FROM range(%d) AS t(x))"
            .formatted(
                1 + random.nextInt(4),
                random.nextBoolean() ? "int" : "bigint",
                1 + random.nextInt(4));
    String key = call.depth() == 2 && random.nextBoolean() ? "j" : "i";
    String join = " AS r LEFT SEMI JOIN " + keys + " AS keys ON r." + key + " = keys.k" + filter;
    List<String> expected = rows(spark, columns + "whole" + join);
    String pushed = columns + call.text() + join;
    assertThat(rows(spark, pushed)).as(pushed).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> without(List<String> all, List<String> some) {
    List<String> rest = new ArrayList<>(all);
    some.forEach(rest::remove);
    return rest;
  }

  /** An update with a bad index belongs to no slice, so no filter on slices hides its error. */
  private static void checkFails(SparkSession spark, RandomCall call, RuntimeException e) {
    assertRejectsAnIndex(e);
    if (!call.isScatter()) {
      assertFails(spark, "SELECT count(*) FROM " + call.text());
      return;
    }
    assertFails(spark, "SELECT * FROM " + call.text() + " WHERE i = 1");
    assertFails(spark, "SELECT count(*) FROM " + call.text() + " WHERE i < 3");
  }

  private static void assertFails(SparkSession spark, String statement) {
    try {
      spark.sql(statement).collectAsList();
    } catch (RuntimeException e) {
      assertRejectsAnIndex(e);
      return;
    }
    throw new AssertionError("did not fail: " + statement);
  }

  /** Only the indices of random calls may be wrong. */
  private static void assertRejectsAnIndex(RuntimeException e) {
    assertThat(e)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            rejected -> assertThat(rejected.kind()).isEqualTo(SparkNdException.Kind.INDEX))
        .hasMessageMatching("(?s).* = \\[.*] is (out of bounds|negative) for .*");
  }

  private static List<String> rows(SparkSession spark, String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  /** Types of elements: those of a dtype, and those that a call encodes. */
  private enum Element {
    FLOAT("float(%s) / 7", "0.5", "add", "add", "update", "max", "mul", "sub"),
    DATE("date_add(DATE'1969-12-20', int(%s))", "DATE'1970-01-01'", "max", "update", "min", "max"),
    TIMESTAMP(
        "timestamp_seconds((%s) * 1000000 - 7000000)",
        "TIMESTAMP'1970-01-01 00:00:00'", "min", "update", "min", "max"),
    INTERVAL(
        "make_dt_interval(0, int(%s) - 5, 7)", "INTERVAL '1' HOUR", "max", "update", "min", "max"),
    DECIMAL("cast((%s) * 1.25 AS decimal(9, 2))", "7", "add", "update", "add", "sub", "max"),
    WIDE("cast((%s) * 1e20 AS decimal(38, 2))", "7e20", "add", "update", "add", "sub"),
    BINARY("cast(char(int(%s)) AS binary)", "X'07'", "none", "update");

    private final String value;
    private final String bound;
    private final String intoZeros;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> intoTensor;

    /**
     * @param value SQL of an element, with a number in place of {@code %s}
     * @param intoZeros a reduction of {@code scatter_nd}
     * @param intoTensor suffixes of {@code tensor_scatter_nd_*}
     */
    Element(String value, String bound, String intoZeros, String... intoTensor) {
      this.value = value;
      this.bound = bound;
      this.intoZeros = intoZeros;
      this.intoTensor = List.of(intoTensor);
    }

    private static Element any(Random random) {
      return values()[random.nextBoolean() ? 0 : random.nextInt(values().length)];
    }

    /** Returns the SQL of an element or of a slice of three. */
    private String slice(int depth) {
      return depth == 2
          ? value.formatted("x")
          : "array("
              + String.join(
                  ", ",
                  value.formatted("x"),
                  value.formatted("x * 31 % 11"),
                  value.formatted("x + 1"))
              + ")";
    }
  }

  /**
   * A call with random tables and options.
   *
   * @param depth number of index columns
   */
  private record RandomCall(String text, boolean isScatter, int depth, Element element) {
    private static final int ROWS = 12;
    private static final int COLUMNS = 5;

    static RandomCall of(SparkSession spark, Random random) {
      int depth = 1 + random.nextInt(2);
      Element element = Element.any(random);
      String value = element.slice(depth);
      String missing = random.nextBoolean() ? " WHERE x % 5 <> 2" : "";
      int slices = depth == 1 ? ROWS : ROWS * COLUMNS;
      view(
          spark,
          random,
          "tensor",
          "SELECT "
              + index("x", depth, random)
              + ", "
              + value
              + " AS v FROM range(0, "
              + slices
              + ", 1, "
              + (1 + random.nextInt(6))
              + ") AS t(x)"
              + missing);
      String bad = random.nextInt(4) == 0 ? "-2" : "0";
      String at = "pmod(hash(x, " + random.nextInt() + "), " + slices + ") + " + bad;
      boolean scatters = random.nextInt(3) > 0;
      view(
          spark,
          random,
          "rows",
          "SELECT "
              + index("(" + at + ")", depth, random)
              + (scatters ? "" : ", string(x) AS label")
              + ", "
              + (scatters ? value + " AS v" : "x AS n")
              + " FROM range(0, 60, 1, "
              + (1 + random.nextInt(6))
              + ") AS t(x)");
      String shape = depth == 1 ? "array(12, 3)" : "array(12, 5)";
      String arguments = "shape => " + shape + policies(random);
      String text =
          scatters
              ? scatter(element, arguments, random)
              : "gather_nd(TABLE(tensor), TABLE(rows), " + arguments + ")";
      return new RandomCall(text, scatters, depth, element);
    }

    private static String scatter(Element element, String arguments, Random random) {
      String name = element.intoTensor.get(random.nextInt(element.intoTensor.size()));
      String self =
          name.equals("update") || element.intoZeros.equals("none") || random.nextBoolean()
              ? ""
              : ", include_self => false";
      return random.nextInt(3) == 0
          ? "scatter_nd(TABLE(rows), reduction => '"
              + element.intoZeros
              + "', "
              + arguments
              + self
              + ")"
          : "tensor_scatter_nd_" + name + "(TABLE(tensor), TABLE(rows), " + arguments + self + ")";
    }

    private static String policies(Random random) {
      String[] bad = {"", ", bad_indices => 'ignore'", ", bad_indices => 'clip'"};
      String[] negative = {"", ", negative => 'wrap'", ", negative => 'oob'"};
      return bad[random.nextInt(3)] + negative[random.nextInt(3)];
    }

    private static String index(String x, int depth, Random random) {
      String[] types = {"tinyint", "smallint", "int", "bigint"};
      String type = types[random.nextInt(types.length)];
      return depth == 1
          ? "cast(" + x + " AS " + type + ") AS i"
          : "cast(floor("
              + x
              + " / 5) AS "
              + type
              + ") AS i, cast(pmod("
              + x
              + ", 5) AS bigint) AS j";
    }

    /** Creates a view of rows that are computed, cached, on disk or shuffled. */
    private static void view(SparkSession spark, Random random, String name, String query) {
      Dataset<Row> rows = spark.sql(query);
      Disguise[] all = Disguise.values();
      Disguise disguise = all[random.nextInt(all.length)];
      // the order of rows counts, and other disguises do not keep it
      boolean keepsOrder =
          switch (disguise) {
            case NONE, CACHED, PARQUET, PROJECTED, LIMITED -> true;
            case UNION, BROADCAST_JOIN, SHUFFLED_JOIN, REPARTITIONED -> name.equals("tensor");
          };
      (keepsOrder ? disguise.apply(rows) : rows).createOrReplaceTempView(name);
    }

    String filter(Random random) {
      List<String> conditions = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        conditions.add(condition(random));
      }
      return random.nextInt(6) == 0
          ? ""
          : " WHERE ("
              + String.join(random.nextInt(3) == 0 ? ") OR (" : ") AND (", conditions)
              + ")";
    }

    private String condition(Random random) {
      String value = depth == 1 ? "v[1]" : "v";
      String last = depth == 1 ? "i" : "j";
      String[] conditions = {
        "i = " + random.nextInt(ROWS),
        "i IN (1, 3, 9, " + random.nextInt(ROWS) + ")",
        "i BETWEEN " + random.nextInt(ROWS) + " AND " + random.nextInt(ROWS),
        last + " > " + random.nextInt(COLUMNS),
        last + " % 3 = 1",
        "NOT i = 2",
        "i < 2 OR i > 7",
        "i >= -1 AND i < 200",
        "i = 1000",
        "i IS NOT NULL",
        "i + 1 = 4",
        value + " > " + element.bound,
        value + " IS NULL",
        "rand(3) < 2",
        "i = (SELECT max(x) FROM range(5) AS t(x))",
        "i IN (SELECT x FROM range(5) AS t(x))",
        isScatter ? "i = 3" : "label LIKE '1%'",
        isScatter ? "i <> 3" : "n % 2 = 0 AND i > 1",
      };
      return conditions[random.nextInt(conditions.length)];
    }

    String columns(Random random) {
      String[] columns = {
        "*",
        "i",
        "v",
        "i, v",
        "count(*) AS c",
        "1 AS one",
        depth == 1 ? "v[0] AS w" : "j, v",
        isScatter ? "sum(i) AS s" : "label, n"
      };
      return columns[random.nextInt(columns.length)];
    }
  }
}
