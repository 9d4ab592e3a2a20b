/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests tables with one named column per element. */
class FeaturesTest {
  private static final long NEVER = Long.MAX_VALUE;

  private static TensorTable users() {
    return TestTables.create(
        TensorSpec.of(DType.INT64, Shape.of(1000, 3))
            .withIndexColumns("user")
            .withFeatures("views", "cheapest", "city")
            .withFeatureFill("cheapest", NEVER)
            .withFeatureFill("city", -1)
            .withRowsPerBlock(10));
  }

  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static TableCommit write(TensorTable table, String batch, String events) {
    Dataset<Row> rows =
        sql("SELECT * FROM VALUES " + events + " AS e(user, at, views, cheapest, city)");
    return table
        .write()
        .batchId(batch)
        .scatterFeatures(Scatter.add(), rows, FeatureColumns.of("views"))
        .scatterFeatures(Scatter.min(), rows, FeatureColumns.of("cheapest"))
        .scatterFeatures(Scatter.update(), rows, FeatureColumns.of("city").orderedBy("at"))
        .commit();
  }

  /** Returns views, cheapest and city of users 7, 8 and 999. */
  private static List<String> responses(TensorTable table) {
    return table
        .gatherFeatures(
            Gather.strict(),
            sql("SELECT id AS place, who FROM VALUES (0, 7), (1, 8), (2, 999) AS t(id, who)"),
            List.of("who"))
        .orderBy("place")
        .select("views", "cheapest", "city")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  private static final String FIRST =
      "(7, 2, 1, 500, 3), (7, 1, 1, 400, 9), (8, 5, 1, CAST(NULL AS INT), CAST(NULL AS INT))";

  @Test
  void eachFeatureHasItsOwnReductionAndFillValue() {
    TensorTable table = users();
    assertThat(responses(table)).containsOnly("[0," + NEVER + ",-1]");
    TableCommit commit = write(table, "one", FIRST);
    assertThat(commit.updates()).isEqualTo(3 + 2 + 2);
    assertThat(responses(table))
        .containsExactly("[2,400,3]", "[1," + NEVER + ",-1]", "[0," + NEVER + ",-1]");
    TensorTable reopened = TensorTable.open(TestTables.spark(), table.name());
    assertThat(responses(reopened)).isEqualTo(responses(table));
    assertThat(table.iceberg().properties())
        .containsEntry("sparknd.fill-value", "0")
        .containsEntry("sparknd.fill-value.cheapest", Long.toString(NEVER))
        .containsEntry("sparknd.fill-value.city", "-1");
  }

  @Test
  void loadedTableHasTheFillValueOfEachFeature() {
    TensorTable table = users();
    write(table, "one", FIRST);
    try (DistributedTensor loaded = table.load(Partitioning.of(2))) {
      Tensor all = loaded.collect();
      assertThat(List.of(all.element(21), all.element(22), all.element(23)))
          .isEqualTo(List.of(2L, 400L, 3L));
      assertThat(List.of(all.element(2997), all.element(2998), all.element(2999)))
          .isEqualTo(List.of(0L, NEVER, -1L));
    }
  }

  @Test
  void batchReturnsItsSnapshotUntilRollbackOrExpiry() throws InterruptedException {
    TensorTable table = users();
    write(table, "one", FIRST);
    List<String> then = responses(table);
    long good = table.snapshot().getAsLong();
    write(table, "two", "(7, 9, 100, 1, 1)");
    assertThat(responses(table.batch("one"))).isEqualTo(then);
    assertThat(responses(table.batch("two")).get(0)).isEqualTo("[102,1,1]");

    table.iceberg().manageSnapshots().rollbackTo(good).commit();
    assertThat(responses(table)).isEqualTo(then);
    assertThatThrownBy(() -> table.batch("two"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("no snapshot of batch 'two'");

    assertThat(write(table, "two", "(7, 9, 1, 450, 1)").outcome())
        .isEqualTo(TableCommit.Outcome.COMMITTED);
    assertThat(responses(table).get(0)).isEqualTo("[3,400,1]");
    Thread.sleep(5); // timestamps of snapshots are in milliseconds
    table.expire(Retention.of(Duration.ZERO));
    assertThat(write(table, "one", FIRST).outcome()).isEqualTo(TableCommit.Outcome.REPLAYED);
    assertThatThrownBy(() -> table.batch("one")).hasMessageContaining("has expired");
  }

  @Test
  void requestColumnNamedValueIsAllowed() {
    TensorTable table = users();
    write(table, "one", "(7, 1, 2L, 30L, 4L)");
    Dataset<Row> rows = sql("SELECT 7 AS user, 'kept' AS value, 1 AS c0");
    Dataset<Row> features = table.gatherFeatures(Gather.strict(), rows, List.of("user"), "city");
    assertThat(features.columns()).containsExactly("user", "value", "c0", "city");
    assertThat(features.first().toString()).isEqualTo("[7,kept,1,4]");
  }

  @Test
  void featureNamesIgnoreCase() {
    TensorTable table = users();
    Dataset<Row> rows = sql("SELECT 7 AS USER, 5L AS Views, 6L AS AT");
    FeatureColumns views = FeatureColumns.of("VIEWS").orderedBy("at");
    table.write().scatterFeatures(Scatter.add(), rows, views).commit();
    Dataset<Row> requested = sql("SELECT 7 AS Who");
    assertThat(
            table
                .gatherFeatures(Gather.strict(), requested, List.of("WHO"), "vIEWS")
                .first()
                .getLong(1))
        .isEqualTo(5);
    assertThatThrownBy(() -> table.gatherFeatures(Gather.strict(), rows, List.of("user"), "views"))
        .hasMessageContaining("already have a column 'views'");
  }

  @Test
  void featureNamesAreCaseSensitiveIfTheSessionIs() {
    TensorTable table = users();
    SparkSession exact = TestTables.spark().newSession();
    exact.conf().set("spark.sql.caseSensitive", "true");
    Dataset<Row> rows = exact.sql("SELECT 7 AS user, 5L AS Views");
    assertThatThrownBy(
            () -> table.write().scatterFeatures(Scatter.add(), rows, FeatureColumns.of("views")))
        .hasMessageContaining("column 'views' is not among [user, Views]");
    assertThat(table.gatherFeatures(Gather.strict(), rows, List.of("user"), "views").columns())
        .containsExactly("user", "Views", "views");
  }

  @Test
  void invalidFeatureNamesAreReported() {
    TensorTable table = users();
    Dataset<Row> rows = sql("SELECT 1 AS user, 2 AS views, 3 AS clicks");
    assertThatThrownBy(
            () -> table.write().scatterFeatures(Scatter.add(), rows, FeatureColumns.of("clicks")))
        .hasMessageContaining("'clicks' is not a feature of the tensor; its features are views");
    assertThatThrownBy(
            () -> table.write().scatterFeatures(Scatter.add(), rows, FeatureColumns.of("city")))
        .hasMessageContaining("column 'city' is not among [user, views, clicks]");
    assertThatThrownBy(() -> table.gatherFeatures(Gather.strict(), rows, List.of("user"), "clicks"))
        .hasMessageContaining("already have a column 'clicks'");
    assertThatThrownBy(() -> table.gatherFeatures(Gather.strict(), rows, List.of("user"), "town"))
        .hasMessageContaining("'town' is not a feature");
    assertThat(table.gatherFeatures(Gather.strict(), rows, List.of("user"), "city").columns())
        .containsExactly("user", "views", "clicks", "city");
    assertThatThrownBy(() -> table.gatherFeatures(Gather.strict(), rows, List.of("user")))
        .hasMessageContaining("already have a column 'views'");
    assertThatThrownBy(() -> table.gatherFeatures(Gather.strict(), rows, List.of("user", "clicks")))
        .hasMessageContaining("by all of its index columns, [user]");
    assertThatThrownBy(() -> TensorSpec.of(DType.INT64, Shape.of(9, 2)).withFeatureFill("city", 1))
        .hasMessageContaining("TensorSpec.withFeatures names them");
    TensorTable array = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(9, 2)));
    assertThatThrownBy(() -> array.gatherFeatures(Gather.strict(), rows, List.of("user")))
        .hasMessageContaining("has layout 'array'");
  }
}
