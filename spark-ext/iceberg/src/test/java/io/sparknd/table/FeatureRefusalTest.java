/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.feature.FeatureEvolution;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests that feature tables that others changed are errors that say how to correct them. */
class FeatureRefusalTest {
  private final SparkSession spark = TestTables.spark();
  private final String name = TestTables.name();

  private FeatureTable cities() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("seen", "int"))
                .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
                .withBuckets(1));
    table.scatter(spark.sql("SELECT 'u' AS user, 5 AS seen, 'Oslo' AS city"));
    table.iceberg().refresh();
    return table;
  }

  private void scatter(String city, String seen) {
    Dataset<Row> rows =
        spark.sql("SELECT 'u' AS user, " + seen + " AS seen, '" + city + "' AS city");
    FeatureTable.open(spark, name).scatter(rows);
  }

  private String city() {
    spark.sql("REFRESH TABLE " + name);
    return spark.sql("SELECT city FROM " + name).first().getString(0);
  }

  @Test
  void timesMayBeAnyOfJava() {
    FeatureTable table = cities();
    table.scatter(spark.sql("SELECT 'u' AS user, 6 AS seen, 'Rome' AS city"));
    assertThat(table.asOf(Instant.MAX).snapshot()).isEqualTo(table.snapshot());
    assertThatThrownBy(() -> table.asOf(Instant.MIN))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no snapshot as of -1000000000-01-01T00:00:00Z");
    for (Retention all :
        List.of(Retention.since(Instant.MIN), Retention.of(Duration.ofSeconds(Long.MAX_VALUE)))) {
      table.expire(all);
      assertThat(refreshed(table).snapshots()).hasSize(2);
    }
    assertThat(table.orphans(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
    table.expire(Retention.since(Instant.MAX));
    assertThat(refreshed(table).snapshots()).hasSize(1);
  }

  private static Table refreshed(FeatureTable table) {
    table.iceberg().refresh();
    return table.iceberg();
  }

  /** The order is compared with the state, which has the type that the order had. */
  @Test
  void stateThatIsNotPromotedWithTheOrderIsNamed() {
    Table iceberg = cities().iceberg();
    iceberg.updateSchema().updateColumn("seen", Types.LongType.get()).commit();
    assertThatThrownBy(() -> scatter("Bergen", "3000000000L"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column city__seen of table " + name)
        .hasMessageContaining("is int; it needs bigint");
    iceberg.updateSchema().updateColumn("city__seen", Types.LongType.get()).commit();
    scatter("Bergen", "3000000000L");
    scatter("Moss", "6L");
    assertThat(city()).isEqualTo("Bergen");
  }

  /** A new column has no orders: an update that is older than the stored value would replace it. */
  @Test
  void stateThatWasDroppedIsNamed() {
    Table iceberg = cities().iceberg();
    iceberg.updateSchema().deleteColumn("city__seen").commit();
    assertThatThrownBy(() -> scatter("Bergen", "1"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not there; it needs int");
    iceberg.updateSchema().addColumn("city__seen", Types.IntegerType.get()).commit();
    assertThatThrownBy(() -> scatter("Bergen", "1"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column city__seen of table " + name + " is not the one that had");
    iceberg.updateSchema().deleteColumn("city").deleteColumn("city__seen").commit();
    FeatureTable.open(spark, name)
        .addVariable(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")));
    scatter("Bergen", "6");
    scatter("Moss", "5");
    assertThat(city()).isEqualTo("Bergen");
  }

  /** The mean of 10, 20 and 30 would be 30. */
  @Test
  void sumsOfAColumnThatWasAddedAgainAreNotThoseOfTheValues() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("score", "double").reducedBy(VariableReduction.mean())));
    table.scatter(spark.sql("SELECT 'u' AS user, explode(array(10D, 20D)) AS score"));
    Table iceberg = refreshed(table);
    String record = "sparknd.variable.score.state";
    assertThat(iceberg.properties())
        .containsEntry(record, "variable=2; columns=3,4; reduction=mean");
    iceberg.updateSchema().deleteColumn("score__count").commit();
    iceberg.updateSchema().addColumn("score__count", Types.LongType.get()).commit();
    Dataset<Row> third = spark.sql("SELECT 'u' AS user, 30D AS score");
    assertThatThrownBy(() -> FeatureTable.open(spark, name).scatter(third))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column score__count of table " + name + " is not the one that had")
        .hasMessageContaining("unset " + record);
    iceberg.updateProperties().remove(record).commit();
    FeatureTable.open(spark, name).renameVariable("score", "points");
    assertThat(refreshed(table).properties())
        .doesNotContainKey(record)
        .containsEntry("sparknd.variable.points.state", "variable=2; columns=3,5; reduction=mean");
  }

  @Test
  void changesOfVariablesRecordTheirState() {
    FeatureTable table = cities();
    table.addVariable(Variable.of("score", "double"));
    String record = "sparknd.variable.score.state";
    assertThat(refreshed(table).properties()).doesNotContainKey(record);
    declare("score", "mean");
    assertThat(refreshed(table).properties()).containsKey(record);
    declare("score", "max");
    assertThat(refreshed(table).properties()).doesNotContainKey(record);
    table.dropVariable("city");
    assertThat(refreshed(table).properties()).doesNotContainKey("sparknd.variable.city.state");
  }

  /** Seven tiles of days would be read as seven of hours. */
  @Test
  void reductionsOfStateThatOthersDeclaredAnewAreNamed() {
    TimeWindows windows =
        TimeWindows.of(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(7));
    FeatureTable table =
        FeatureTable.create(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("seen", "timestamp"))
                .with(
                    Variable.of("views", "bigint")
                        .reducedBy(VariableReduction.add().over("seen", windows))));
    table.scatter(
        spark.sql(
            "SELECT 'u' AS user, 1L AS views,"
                + " timestamp '2026-03-01 12:00:00Z' + make_interval(0, 0, 0, day) AS seen"
                + " FROM (SELECT explode(sequence(0, 6)) AS day)"));
    Map<String, String> before = Map.copyOf(refreshed(table).properties());
    String variable = "sparknd.variable.views.";
    assertThat(before.get(variable + "state")).endsWith("; reduction=add; tile=1 day; tiles=7");
    for (List<String> change :
        List.of(
            List.of("tile", "1 hour"),
            List.of("window", "1 day, 30 days"),
            List.of("reduction", "max"))) {
      set(table, variable + change.get(0), change.get(1));
      assertThatThrownBy(() -> FeatureTable.open(spark, name))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("by reduction=add; tile=1 day; tiles=7 in its columns of state")
          .hasMessageContaining("set " + variable + "* back");
      set(table, variable + change.get(0), before.get(variable + change.get(0)));
    }
    set(table, variable + "window", "3 days, 7 days");
    FeatureTable.open(spark, name);
    refreshed(table).updateProperties().remove(variable + "state").commit();
    set(table, variable + "tile", "1 hour");
    FeatureTable.open(spark, name); // as tables of earlier builds, which have no record
  }

  /** A batch would replace the counts. */
  @Test
  void unknownPropertiesOfVariablesAreNamed() {
    FeatureTable table = cities();
    String misspelt = "sparknd.variable.seen.reducton";
    set(table, misspelt, "max");
    assertThatThrownBy(() -> scatter("Bergen", "6"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("table " + name + " has the property " + misspelt)
        .hasMessageContaining("the nearest that it knows is sparknd.variable.seen.reduction");
    refreshed(table).updateProperties().remove(misspelt).commit();
    set(table, "sparknd.variable.gone.reducton", "max");
    set(table, "sparknd.variable.gone.reduction", "max");
    set(table, "sparknd.note", "of others");
    scatter("Bergen", "6");
  }

  @Test
  void formatsOfLaterVersionsAreNamed() {
    FeatureTable table = cities();
    assertThat(refreshed(table).properties()).containsEntry("sparknd.format", "1");
    set(table, "sparknd.format", "3");
    assertThatThrownBy(() -> FeatureTable.open(spark, name))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has sparknd.format = 3, and this SparkND knows formats up to 1");
    refreshed(table).updateProperties().remove("sparknd.format").commit();
    scatter("Bergen", "6");
  }

  private static void set(FeatureTable table, String property, String value) {
    refreshed(table).updateProperties().set(property, value).commit();
  }

  private void declare(String variable, String reduction) {
    Map<String, Optional<String>> changes =
        Map.of("sparknd.variable." + variable + ".reduction", Optional.of(reduction));
    FeatureEvolution.apply(
        spark, name, evolution -> evolution.declare(changes, (stored, column) -> false));
  }

  /** The new column has no value, and would take none before the order of the former one. */
  @Test
  void stateOfAColumnThatWasAddedAgainIsNamed() {
    Table iceberg = cities().iceberg();
    iceberg.updateSchema().deleteColumn("city").commit();
    iceberg.updateSchema().addColumn("city", Types.StringType.get()).commit();
    assertThatThrownBy(() -> scatter("Bergen", "1"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("unset sparknd.variable.city.field-id");
    iceberg.updateProperties().remove("sparknd.variable.city.field-id").commit();
    assertThatThrownBy(() -> scatter("Bergen", "1"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column city__seen of table " + name)
        .hasMessageContaining("of variable city, is that of a column of this name");
    iceberg.updateSchema().deleteColumn("city__seen").commit();
    iceberg.updateSchema().addColumn("city__seen", Types.IntegerType.get()).commit();
    scatter("Bergen", "1");
    assertThat(city()).isEqualTo("Bergen");
  }

  @Test
  void newRowWithoutAValueOfARequiredColumnIsNamed() {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user string, n bigint, kind int NOT NULL) USING iceberg"
            + " TBLPROPERTIES ('format-version' = '3')");
    spark.sql("INSERT INTO " + name + " VALUES ('u', 1, 2)");
    FeatureTable table =
        FeatureTable.adopt(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add())));
    table.scatter(spark.sql("SELECT 'u' AS user, 10L AS n"));
    assertThatThrownBy(
            () -> table.scatter(spark.sql("SELECT explode(array('u', 'v')) AS user, 10L AS n")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the new row of table " + name + " at (user = 'v')")
        .hasMessageContaining("no value of column kind, which is NOT NULL");
    table.scatter(spark.sql("SELECT 'v' AS user, 10L AS n, 3 AS kind"));
    List<Row> rows = spark.sql("SELECT * FROM " + name + " ORDER BY user").collectAsList();
    assertThat(rows).extracting(Row::toString).containsExactly("[u,11,2]", "[v,10,3]");
  }
}
