/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datasets that were analyzed before a commit read all their tables as they are after it. */
class RefreshedTablesTest {
  private final SparkSession spark = TestTables.spark();
  private TensorTable table;

  @BeforeEach
  void makeTable() {
    SparkSession.setActiveSession(spark);
    table = TestTables.create(TensorSpec.of(DType.FLOAT64, Shape.of(10)).withRowsPerBlock(4));
    scatter("SELECT id, double(id) AS v FROM range(5)");
  }

  @AfterEach
  void clear() {
    spark.catalog().clearCache();
    spark.sql("DROP VIEW IF EXISTS refreshed_view");
  }

  private void scatter(String updates) {
    table.scatter(Scatter.update(), spark.sql(updates), TensorColumns.of("v", "id"));
  }

  private static List<String> rows(Dataset<Row> dataset) {
    return dataset.toJSON().collectAsList();
  }

  private Dataset<Row> gathered(String indices) {
    return spark.sql(
        "SELECT * FROM gather_nd(TABLE(" + table.name() + "), TABLE(" + indices + ")) ORDER BY i0");
  }

  @Test
  void aGatherReadsTheNewestVersion() {
    Dataset<Row> gathered = gathered("SELECT 3 AS i0 UNION ALL SELECT 7");
    assertThat(rows(gathered))
        .containsExactly("{\"i0\":3,\"value\":3.0}", "{\"i0\":7,\"value\":0.0}");
    gathered.createOrReplaceTempView("refreshed_view");
    scatter("SELECT 7 AS id, 70D AS v");
    List<String> after = List.of("{\"i0\":3,\"value\":3.0}", "{\"i0\":7,\"value\":70.0}");
    assertThat(rows(gathered)).isEqualTo(after);
    assertThat(rows(gathered.where("value > 5"))).containsExactly(after.get(1));
    assertThat(rows(spark.table("refreshed_view"))).isEqualTo(after);
    assertThat(rows(spark.sql("SELECT sum(value) AS s FROM (SELECT * FROM refreshed_view)")))
        .containsExactly("{\"s\":73.0}");
    assertThat(rows(spark.sql("SELECT (SELECT max(value) FROM refreshed_view) AS m FROM range(1)")))
        .containsExactly("{\"m\":70.0}");
  }

  /** Spark reads the indices at the newest version, so the tensor must be of it, too. */
  @Test
  void allTablesOfAQueryAreOfOneVersion() {
    Dataset<Row> query =
        spark.sql(
            "SELECT i0, g.value, t.value AS stored FROM gather_nd(TABLE(%1$s), TABLE(SELECT i0 FROM %1$s)) g JOIN %1$s t USING (i0)"
                .formatted(table.name()));
    scatter("SELECT id, 100D + id AS v FROM range(3, 8)");
    assertThat(query.where("value = stored").count()).isEqualTo(8);
    assertThat(query.count()).isEqualTo(8);
  }

  @Test
  void aScatterReadsTheNewestVersionAndSize() {
    Dataset<Row> scattered =
        spark.sql(
            "SELECT * FROM tensor_scatter_nd_add(TABLE(%s), TABLE(SELECT 9 AS i0, 1D AS value))"
                .formatted(table.name()));
    assertThat(scattered.count()).isEqualTo(10);
    scatter("SELECT 9 AS id, 50D AS v");
    assertThat(rows(scattered.where("i0 = 9"))).containsExactly("{\"i0\":9,\"value\":51.0}");
    table.resize(14);
    scatter("SELECT 13 AS id, 13D AS v");
    assertThat(scattered.count()).isEqualTo(14);
    assertThat(rows(scattered.where("i0 = 13"))).containsExactly("{\"i0\":13,\"value\":13.0}");
    assertThat(scattered.limit(12).collectAsList()).hasSize(12);
  }

  @Test
  void aSnapshotThatIsNamedIsKept() {
    long snapshot = table.snapshot().orElseThrow();
    Dataset<Row> gathered =
        spark.sql(
            "SELECT * FROM gather_nd(TABLE(SELECT * FROM %s VERSION AS OF %d), TABLE(SELECT 3 AS i0))"
                .formatted(table.name(), snapshot));
    scatter("SELECT 3 AS id, 30D AS v");
    assertThat(rows(gathered)).containsExactly("{\"i0\":3,\"value\":3.0}");
  }

  @Test
  void aFeatureTableIsReadAtTheNewestVersion() {
    FeatureTable features =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string").with(Variable.of("views", "bigint")));
    features.scatter(spark.sql("SELECT 'u1' AS user, 5L AS views"));
    Dataset<Row> gathered =
        spark.sql(
            "SELECT * FROM gather_nd(TABLE(%s), TABLE(SELECT 'u1' AS user))"
                .formatted(features.name()));
    Dataset<Row> now =
        spark.sql(
            "SELECT views FROM gather_nd_as_of(TABLE(%s), TABLE(SELECT 'u1' AS user, current_timestamp() AS at), at => 'at')"
                .formatted(features.name()));
    assertThat(rows(now)).containsExactly("{\"views\":5}");
    features.scatter(spark.sql("SELECT 'u1' AS user, 6L AS views"));
    assertThat(rows(gathered)).containsExactly("{\"user\":\"u1\",\"views\":6}");
    assertThat(rows(now)).containsExactly("{\"views\":6}");
  }

  /** As with other tables, what a Dataset has cached is of the version before. */
  @Test
  void cachedRowsAreNotThoseOfTheNewestVersion() {
    Dataset<Row> gathered =
        gathered("SELECT 3 AS i0 UNION ALL SELECT i0 FROM " + table.name()).cache();
    Dataset<Row> plain = spark.table(table.name()).where("i0 = 3").cache();
    assertThat(rows(gathered)).contains("{\"i0\":3,\"value\":3.0}").hasSize(6);
    assertThat(rows(plain)).containsExactly("{\"i0\":3,\"value\":3.0}");
    assertThat(isCached(gathered)).isTrue();
    scatter("SELECT 3 AS id, 30D AS v UNION ALL SELECT 8, 80D");
    String after = "{\"i0\":3,\"value\":30.0}";
    assertThat(rows(plain.select("i0", "value"))).containsExactly(after);
    assertThat(rows(gathered)).contains(after, "{\"i0\":8,\"value\":80.0}").hasSize(7);
    assertThat(isCached(gathered)).isFalse();
    spark.catalog().refreshTable(table.name()); // computes what is cached anew
    assertThat(rows(gathered)).contains(after, "{\"i0\":8,\"value\":80.0}").hasSize(7);
    assertThat(isCached(gathered)).isTrue();
  }

  private static boolean isCached(Dataset<Row> dataset) {
    return ClassicSpark.of(dataset.select("*"))
        .queryExecution()
        .withCachedData()
        .toString()
        .contains("InMemoryRelation");
  }

  /** Whichever session is active when Spark refreshes the table. */
  @Test
  void aBranchIsThatOfTheSessionOfTheDataset() {
    table.iceberg().updateProperties().set("write.wap.enabled", "true").commit();
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    table
        .branch("audit")
        .scatter(
            Scatter.update(), spark.sql("SELECT 3 AS id, 30D AS v"), TensorColumns.of("v", "id"));
    Dataset<Row> gathered = gathered("SELECT 3 AS i0");
    SparkSession other = spark.newSession();
    other.conf().set("spark.wap.branch", "audit");
    SparkSession.setActiveSession(other);
    try {
      gathered.storageLevel();
    } finally {
      SparkSession.setActiveSession(spark);
    }
    assertThat(gathered.collectAsList().get(0).getDouble(1)).isEqualTo(3);
  }

  @Test
  void datasetsOfOneStatementHaveTheSameSemantics() {
    assertThat(gathered("SELECT 3 AS i0").sameSemantics(gathered("SELECT 3 AS i0"))).isTrue();
    Dataset<Row> before = gathered("SELECT 3 AS i0");
    scatter("SELECT 3 AS id, 30D AS v");
    assertThat(gathered("SELECT 3 AS i0").sameSemantics(before)).isFalse();
    assertThat(before.unionByName(before).count()).isEqualTo(2);
    assertThat(before.as("a").join(before.as("b"), "i0").count()).isEqualTo(1);
  }

  /** Of queries of it alone: Spark plans what is cached in commands of others. */
  @Test
  void aTableThatIsNoLongerATensorIsAnError() {
    Dataset<Row> gathered = gathered("SELECT i0 FROM " + table.name()).cache();
    assertThat(gathered.count()).isEqualTo(5);
    Dataset<Row> plain = spark.table(table.name()).cache();
    table.iceberg().updateProperties().remove("sparknd.layout").commit();
    spark.sql("INSERT INTO " + table.name() + " SELECT 9, 90D");
    spark.catalog().refreshTable(table.name());
    assertThat(plain.select("*").count()).isEqualTo(6);
    assertThatThrownBy(() -> rows(gathered))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContainingAll("after the query was analyzed", table.name());
  }
}
