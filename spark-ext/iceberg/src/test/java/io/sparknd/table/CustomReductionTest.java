/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.CustomReduction;
import io.sparknd.table.reduction.VariableReduction;
import java.math.BigDecimal;
import java.sql.Date;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reductions of users' own, by SQL, whose tasks have the session's settings, and by Java. */
class CustomReductionTest {
  private static final String ANSI = "spark.sql.ansi.enabled";
  private static final String JAVA_TIME = "spark.sql.datetime.java8API.enabled";

  private static final AtomicBoolean HAS_RUN = new AtomicBoolean();

  private final SparkSession spark = TestTables.spark();

  /** Keeps the earliest time. */
  public static final class Earliest implements CustomReduction {
    @Override
    public Object[] fold(Object[] state, Object update) {
      return new Object[] {state[0] == null || isBefore(update, state[0]) ? update : state[0]};
    }

    private static boolean isBefore(Object time, Object other) {
      return time instanceof Instant instant
          ? instant.isBefore((Instant) other)
          : ((LocalDate) time).isBefore((LocalDate) other);
    }
  }

  /** Ten times the largest value, which is the state. */
  public static final class Tenfold implements CustomReduction {
    @Override
    public StructType state(DataType variable) {
      return new StructType().add("largest", variable, true);
    }

    @Override
    public Object[] fold(Object[] state, Object update) {
      BigDecimal value = (BigDecimal) update;
      return new Object[] {state[0] == null ? value : value.max((BigDecimal) state[0])};
    }

    @Override
    public Object result(Object[] state) {
      return ((BigDecimal) state[0]).movePointRight(1);
    }
  }

  /** Returns a date of {@code java.sql}, or of years before 2000 what is no date. */
  public static final class OldDate implements CustomReduction {
    @Override
    public Object[] fold(Object[] state, Object update) {
      LocalDate day = (LocalDate) update;
      return new Object[] {day.getYear() < 2000 ? Long.valueOf(day.getYear()) : Date.valueOf(day)};
    }
  }

  /** Returns an int for a bigint. */
  public static final class Shortened implements CustomReduction {
    @Override
    public Object[] fold(Object[] state, Object update) {
      return new Object[] {((Long) update).intValue()};
    }
  }

  /** Has a state, but no result. */
  public static final class Failing implements CustomReduction {
    @Override
    public StructType state(DataType variable) {
      return new StructType().add("times", DataTypes.LongType, true);
    }

    @Override
    public Object[] fold(Object[] state, Object update) {
      return new Object[] {1L};
    }

    @Override
    public Object result(Object[] state) {
      throw new IllegalStateException("no result");
    }
  }

  /** Returns one value for a state of two, or none for a negative update, or three for 0. */
  public static final class Forgetful implements CustomReduction {
    @Override
    public StructType state(DataType variable) {
      return new StructType().add("sum", variable, true).add("times", variable, true);
    }

    @Override
    @SuppressWarnings("NullAway") // as of a class that was not checked
    public Object[] fold(Object[] state, Object update) {
      long value = (Long) update;
      return value < 0 ? null : new Object[value == 0 ? 3 : 1];
    }
  }

  /** A catalog whose tables fold what is inserted. */
  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
  }

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  @AfterEach
  void unset() {
    spark.conf().unset(ANSI);
    spark.conf().unset(JAVA_TIME);
  }

  private FeatureTable table(Variable... variables) {
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("k", "string").withBuckets(1);
    for (Variable variable : variables) {
      spec = spec.with(variable);
    }
    return FeatureTable.create(spark, TensorCatalogTables.name(), spec);
  }

  private static Variable variable(
      String name, String type, Class<? extends CustomReduction> reduction) {
    return Variable.of(name, type).reducedBy(VariableReduction.custom(reduction));
  }

  private void scatter(FeatureTable table, boolean isInsert, String columns, String rows) {
    String query = "SELECT * FROM VALUES " + rows + " AS r(" + columns + ")";
    if (isInsert) {
      spark.sql("INSERT INTO " + table.name() + " (" + columns + ") " + query);
    } else {
      table.scatter(spark.sql(query));
    }
  }

  private List<String> rows(FeatureTable table, String columns) {
    return spark
        .sql("SELECT " + columns + " FROM " + table.name() + " ORDER BY k")
        .toJSON()
        .collectAsList();
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void timesAreTheSameInEverySession(boolean isInsert, boolean isJavaTime) {
    spark.conf().set(JAVA_TIME, isJavaTime);
    FeatureTable table =
        table(
            variable("day", "date", Earliest.class), variable("seen", "timestamp", Earliest.class));
    String late = "('a', DATE'1950-01-01', TIMESTAMP'1950-01-01 00:00:00')";
    String early = "('a', DATE'1582-10-10', TIMESTAMP'1500-03-01 01:02:03.000004')";
    for (String row : List.of(late, early, late)) {
      scatter(table, isInsert, "k, day, seen", row);
    }
    assertThat(rows(table, "k, string(day) AS day, string(seen) AS seen"))
        .containsExactly(
            "{\"k\":\"a\",\"day\":\"1582-10-10\",\"seen\":\"1500-03-01 01:02:03.000004\"}");
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void decimalThatDoesNotFitIsAnError(boolean isInsert, boolean isAnsi) {
    spark.conf().set(ANSI, isAnsi);
    FeatureTable table = table(variable("price", "decimal(5, 2)", Tenfold.class));
    scatter(table, isInsert, "k, price", "('a', 1.50BD)");
    assertThatThrownBy(() -> scatter(table, isInsert, "k, price", "('a', 123.00BD)"))
        .hasStackTraceContaining(
            "an update of variable price of table "
                + table.name()
                + " at (k = 'a') cannot be applied: ")
        .hasStackTraceContaining(
            Tenfold.class.getName()
                + " returned a wrong value: 1230.0 of java.math.BigDecimal is no decimal(5,2)");
    assertThat(rows(table, "*"))
        .containsExactly("{\"k\":\"a\",\"price\":15.00,\"price__largest\":1.50}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resultsMayBeOfJavaSql(boolean isJavaTime) {
    spark.conf().set(JAVA_TIME, isJavaTime);
    FeatureTable table = table(variable("day", "date", OldDate.class));
    scatter(table, true, "k, day", "('a', DATE'2026-01-02')");
    assertThat(rows(table, "day")).containsExactly("{\"day\":\"2026-01-02\"}");
  }

  @Test
  void valueOfAnotherTypeIsAnErrorWithItsKey() {
    FeatureTable table = table(variable("day", "date", OldDate.class));
    assertThatThrownBy(() -> scatter(table, false, "k, day", "('a', DATE'1950-01-02')"))
        .hasStackTraceContaining(
            "an update of variable day of table " + table.name() + " at (k = 'a') ")
        .hasStackTraceContaining(OldDate.class.getName() + " returned a wrong value: ");
    FeatureTable prices = table(variable("count", "bigint", Shortened.class));
    assertThatThrownBy(() -> scatter(prices, false, "k, count", "('a', 1L)"))
        .hasStackTraceContaining("returned a wrong value: 1 of java.lang.Integer is no bigint");
  }

  @ParameterizedTest
  @CsvSource({"1, 1 values", "0, 3 values", "-1, null"})
  void stateOfAnotherLengthIsAnError(long update, String returned) {
    FeatureTable table = table(variable("n", "bigint", Forgetful.class));
    assertThatThrownBy(() -> scatter(table, false, "k, n", "('a', " + update + "L)"))
        .hasStackTraceContaining(
            "at (k = 'a') cannot be applied: "
                + Forgetful.class.getName()
                + " returned "
                + returned
                + " as its state, which has 2");
  }

  @Test
  void failureOfAResultNamesTheKey() {
    FeatureTable table = table(variable("price", "decimal(5, 2)", Failing.class));
    assertThatThrownBy(() -> scatter(table, false, "k, price", "('a', 1.50BD)"))
        .hasStackTraceContaining(
            "at (k = 'a') cannot be applied: " + Failing.class.getName() + " failed: ")
        .hasStackTraceContaining("no result");
  }

  /** Something else on the class path. */
  static final class OtherClass {
    static {
      HAS_RUN.set(true);
    }

    private OtherClass() {}
  }

  /** Whoever may set properties of a table names the class. */
  @Test
  void aClassThatIsNoReductionIsNotInitialized() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add())));
    table
        .iceberg()
        .updateProperties()
        .set("sparknd.variable.n.reduction", "custom:" + OtherClass.class.getName())
        .commit();
    assertThatThrownBy(() -> FeatureTable.open(spark, table.name()))
        .hasMessageContaining("must be a public CustomReduction");
    assertThat(HAS_RUN).isFalse();
  }
}
