/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link FeatureTable#changesSince}. */
class FeatureChangesTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private FeatureTable users(String mode) {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
            .with(Variable.of("seen", "int"))
            .with(Variable.of("taste", DType.FLOAT32, 2))
            .withProperty("write.merge.mode", mode)
            .withProperty("sparknd.rows-per-bucket", "10")
            .withBuckets(2));
  }

  private FeatureTable filled(String mode) {
    FeatureTable table = users(mode);
    Dataset<Row> rows =
        spark.sql(
            "SELECT 'u' || lpad(id, 2, '0') AS user, id AS views, 'Oslo' AS city, 1 AS seen,"
                + " array(float(id), 0F) AS taste FROM range(50)");
    table.write().batchId("a").scatter(rows).commit();
    return table;
  }

  private static List<String> rows(Dataset<Row> changes) {
    return changes.orderBy("user").toJSON().collectAsList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read", "copy-on-write"})
  void changesAreRowsThatDiffer(String mode) {
    FeatureTable table = filled(mode);
    table
        .write()
        .batchId("b")
        .scatter(
            spark.sql(
                "SELECT * FROM VALUES ('u01', 5L, NULL, NULL), ('u02', 0L, 'Bergen', 2), ('u03', 0L,"
                    + " 'Rome', 0), ('u99', 1L, NULL, NULL) AS e(user, views, city, seen)"))
        .commit();
    table.evict("user = 'u04'");
    FeatureTable before = table.batch("a");
    assertThat(rows(table.changesSince(before)))
        .containsExactly(
            "{\"user\":\"u01\",\"views\":13,\"city\":\"Oslo\",\"seen\":1,\"taste\":[1.0,0.0],"
                + "\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"views\"]}",
            "{\"user\":\"u02\",\"views\":9,\"city\":\"Bergen\",\"seen\":2,\"taste\":[2.0,0.0],"
                + "\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"city\",\"seen\"]}",
            "{\"user\":\"u03\",\"views\":10,\"city\":\"Oslo\",\"seen\":0,\"taste\":[3.0,0.0],"
                + "\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"seen\"]}",
            "{\"user\":\"u04\",\"_change_type\":\"DELETE\","
                + "\"_changed_variables\":[\"views\",\"city\",\"seen\",\"taste\"]}",
            "{\"user\":\"u99\",\"views\":8,\"_change_type\":\"INSERT\","
                + "\"_changed_variables\":[\"views\",\"city\",\"seen\",\"taste\"]}");
    List<String> back = rows(before.changesSince(table));
    assertThat(back).hasSize(5);
    assertThat(back.get(0)).contains("\"views\":8,", "UPDATE_AFTER", "[\"views\"]");
    assertThat(back.get(3)).contains("u04", "INSERT", "[4.0,0.0]");
    assertThat(back.get(4)).contains("u99", "DELETE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read", "copy-on-write"})
  void movedRowsAndSameValuesAreNotChanges(String mode) {
    FeatureTable table = filled(mode);
    table.write().batchId("b").scatter(spark.sql("SELECT 'u01' AS user, 0L AS views")).commit();
    table.scatter(spark.sql("SELECT 'u02' AS user, 1L AS views"));
    table.compact();
    table.iceberg().refresh();
    assertThat(table.iceberg().specs()).as("more buckets").hasSize(2);
    assertThat(rows(table.changesSince(table.batch("a"))))
        .singleElement()
        .asString()
        .contains("u02", "[\"views\"]");
    assertThat(rows(table.batch("b").changesSince(table.batch("a")))).isEmpty();
    assertThat(rows(table.changesSince(table))).isEmpty();
  }

  @Test
  void everyRowIsAChangeSinceAnEmptyTable() {
    FeatureTable table = users("merge-on-read");
    FeatureTable before = FeatureTable.open(spark, table.name());
    assertThat(rows(table.changesSince(before))).isEmpty();
    table.scatter(spark.sql("SELECT 'u1' AS user, 1L AS views"));
    table.scatter(spark.sql("SELECT 'u1' AS user, 1L AS views"));
    table.iceberg().refresh();
    FeatureTable first = table.snapshot(table.iceberg().history().get(0).snapshotId());
    assertThat(rows(table.changesSince(first))).hasSize(1);
  }

  @Test
  void rolledBackBatchesAreTakenBack() {
    FeatureTable table = filled("merge-on-read");
    table.scatter(spark.sql("SELECT 'u01' AS user, 5L AS views"));
    FeatureTable bad = table.snapshot(table.snapshot().getAsLong());
    table.iceberg().manageSnapshots().rollbackTo(table.batch("a").snapshot().getAsLong()).commit();
    table.scatter(spark.sql("SELECT 'u02' AS user, 1L AS views"));
    assertThat(rows(table.changesSince(bad).select("user", "views", "_change_type")))
        .containsExactly(
            "{\"user\":\"u01\",\"views\":8,\"_change_type\":\"UPDATE_AFTER\"}",
            "{\"user\":\"u02\",\"views\":10,\"_change_type\":\"UPDATE_AFTER\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void nestedValuesAreComparedByWhatTheyHold(String version) {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("n", "bigint"))
                .with(Variable.of("tags", "array<array<string>>"))
                .with(Variable.of("prices", "map<string,double>"))
                .with(Variable.of("home", "struct<city:string,at:array<double>>"))
                .withProperty("format-version", version)
                .withBuckets(1));
    String row =
        "SELECT '%s' AS user, %dL AS n, array(array('a', NULL), array()) AS tags, map('b', 1.5D) AS"
            + " prices, named_struct('city', '%s', 'at', array(1D, double('NaN'))) AS home";
    table.scatter(spark.sql(row.formatted("u1", 1, "Oslo")));
    table.scatter(spark.sql(row.formatted("u2", 1, "Oslo")));
    FeatureTable before = table.snapshot(table.snapshot().getAsLong());
    table.scatter(spark.sql(row.formatted("u1", 2, "Oslo")));
    table.scatter(spark.sql(row.formatted("u2", 1, "Rome")));
    table.compact();
    assertThat(rows(table.changesSince(before).select("user", "_changed_variables")))
        .containsExactly(
            "{\"user\":\"u1\",\"_changed_variables\":[\"n\"]}",
            "{\"user\":\"u2\",\"_changed_variables\":[\"home\"]}");
  }

  @Test
  void otherTablesAreRefused() {
    FeatureTable table = users("merge-on-read");
    FeatureTable other = users("merge-on-read");
    assertThatThrownBy(() -> table.changesSince(other))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining(other.name());
  }
}
