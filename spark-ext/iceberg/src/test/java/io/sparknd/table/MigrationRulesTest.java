/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/how-to/from-feature-stores.md says without an example. */
@Tag("slow")
class MigrationRulesTest {
  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTable create(FeatureTableSpec spec) {
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec.withBuckets(2));
  }

  private static Variable sum(String name, String type) {
    return Variable.of(name, type).reducedBy(VariableReduction.add()).withFill(0);
  }

  private static void day(FeatureTable table, String day, String updates) {
    Instant end = Instant.parse(day + "T00:00:00Z").plus(Duration.ofDays(1));
    table.write().batchId(day + updates.hashCode()).validAt(end).scatter(sql(updates)).commit();
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void anAddedVariableHasItsFillValueInEarlierLabels() {
    FeatureTable table = create(FeatureTableSpec.keyedBy("user", "string").with(sum("a", "int")));
    day(table, "2026-03-01", "SELECT 'u1' AS user, 1 AS a");
    day(table, "2026-03-05", "SELECT 'u1' AS user, 1 AS a");
    table.addVariable(sum("likes", "bigint"));
    day(table, "2026-03-01", "SELECT 'u1' AS user, 7L AS likes");
    FeatureTable own =
        create(FeatureTableSpec.keyedBy("user", "string").with(sum("own_likes", "bigint")));
    day(own, "2026-03-01", "SELECT 'u1' AS user, 7L AS own_likes");
    Dataset<Row> labels =
        sql(
            "SELECT 'u1' AS user, explode(array(timestamp'2026-03-03 00:00:00Z',"
                + " timestamp'2026-03-06 00:00:00Z')) AS at");
    AsOf clock = AsOf.validTime("at");
    Dataset<Row> known = table.gatherAsOf(labels, List.of("user"), clock, "likes");
    known = own.gatherAsOf(known, List.of("user"), clock, "own_likes");
    assertThat(rows(known.select("likes", "own_likes"))).containsExactly("[0,7]", "[7,7]");
  }

  @Test
  void windowsOfNowAreThoseOfTrainingAndTheStoredValueIsNot() {
    TimeWindows windows = TimeWindows.of(Duration.ofDays(1), Duration.ofDays(1));
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(
                    Variable.of("n", "bigint")
                        .reducedBy(VariableReduction.add().over("seen", windows))
                        .withFill(0))
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max())));
    day(
        table,
        "2026-03-04",
        "SELECT * FROM VALUES ('u1', 2L, timestamp'2026-03-03 10:00:00Z'),"
            + " ('u1', 4L, timestamp'2026-03-04 10:00:00Z'),"
            + " ('u2', 1L, timestamp'2026-03-03 10:00:00Z') AS e(user, n, seen)");
    Dataset<Row> labels =
        sql("SELECT explode(array('u1', 'u2')) AS user, timestamp'2026-03-05 00:00:00Z' AS at");
    List<String> columns = List.of("user");
    List<String> trained =
        rows(table.gatherAsOf(labels, columns, AsOf.validTime("at"), "n_1d").drop("at"));
    assertThat(trained).containsExactly("[u1,4]", "[u2,0]");
    assertThat(rows(table.gatherAsOf(labels, columns, AsOf.latest("at"), "n_1d").drop("at")))
        .isEqualTo(trained);
    assertThat(rows(table.toDataset().select("user", "n"))).containsExactly("[u1,4]", "[u2,1]");
  }

  @Test
  void integersWrapWithAnsi() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(sum("n", "int"))
                .with(Variable.of("m", "int").reducedBy(VariableReduction.mul())));
    assertThat(TestTables.spark().conf().get("spark.sql.ansi.enabled")).isEqualTo("true");
    table.scatter(sql("SELECT 'u1' AS user, 2147483647 AS n, 65536 AS m"));
    table.scatter(sql("SELECT 'u1' AS user, 1 AS n, 65536 AS m"));
    assertThat(rows(table.toDataset())).containsExactly("[u1,-2147483648,0]");
  }

  @Test
  void columnsOfAKeyGoByPositionIfTheyAreNamed() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("customer", "string")
                .andKey("shop", "string")
                .with(sum("n", "bigint")));
    table.scatter(sql("SELECT 'c' AS customer, 's' AS shop, 3L AS n"));
    sql("SELECT 's' AS store, 'c' AS buyer, 's' AS shop, 'c' AS customer")
        .createOrReplaceTempView("migrated_labels");
    String gather = "SELECT n FROM gather_nd(TABLE(" + table.name() + "), TABLE(migrated_labels)";
    assertThat(rows(sql(gather + ")"))).containsExactly("[3]");
    assertThat(rows(sql(gather + ", index_columns => array('buyer', 'store'))")))
        .containsExactly("[3]");
    assertThat(rows(sql(gather + ", index_columns => array('store', 'buyer'))")))
        .containsExactly("[0]");
    assertThatThrownBy(() -> sql(gather + ", index_columns => array('shop', 'customer'))"))
        .hasMessageContaining("KEY_COLUMN_ORDER");
  }

  @Test
  void ofEqualTimesTheBatchThatIsCommittedLastWinsAndEventsCountInEachBatch() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.count())));
    String event = "SELECT 'u1' AS user, timestamp'2026-03-01 10:00:00Z' AS seen, 1L AS n, ";
    for (String city : List.of("Oslo", "Rome")) {
      table.write().batchId(city).scatter(sql(event + "'" + city + "' AS city")).commit();
    }
    assertThat(rows(table.toDataset().select("city", "n"))).containsExactly("[Rome,2]");
  }
}
