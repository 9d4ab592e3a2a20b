/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests rows that others wrote with a NULL in the key, the index or the value. */
class NullKeyTest {
  private static final String MERGE_ON_READ =
      " USING iceberg TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')";

  private final SparkSession spark = TestTables.spark();
  private final String name = TestTables.name();

  @BeforeEach
  void makeCatalog() {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
  }

  private List<String> rows(String query) {
    return rows(spark.sql(query));
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static FeatureTableSpec byUserAndDay() {
    return FeatureTableSpec.keyedBy("user", "string")
        .andKey("day", "bigint")
        .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()));
  }

  /** In pages with and without a dictionary, sorted or not. */
  @ParameterizedTest
  @ValueSource(strings = {"'u' || id % 50", "uuid()", "'u' || lpad(id, 5, '0')"})
  void deletedRowsMayHaveNulls(String user) {
    spark.sql("CREATE TABLE " + name + " (user string, day bigint, n bigint)" + MERGE_ON_READ);
    spark.sql(
        "INSERT INTO "
            + name
            + " SELECT /*+ COALESCE(1) */ if(hash(id) % 3 = 0, NULL, "
            + user
            + "), if(hash(id) % 5 = 0, NULL, id), id FROM range(5000)");
    spark.sql("DELETE FROM " + name + " WHERE user IS NULL OR day IS NULL OR n % 7 = 0");
    List<String> before = rows("SELECT * FROM " + name);
    assertThat(before.size()).isBetween(1000, 4000);
    FeatureTable table = FeatureTable.adopt(spark, name, byUserAndDay());
    Dataset<Row> keys = spark.sql("SELECT user, day FROM " + name);
    assertThat(rows(table.gather(keys, List.of("user", "day")))).isEqualTo(before);
    Dataset<Row> some = spark.sql("SELECT user, day, 1000L AS n FROM " + name + " WHERE n % 2 = 0");
    List<String> after = rows("SELECT user, day, if(n % 2 = 0, 1000 + n, n) FROM " + name);
    table.scatter(some.localCheckpoint());
    assertThat(rows("SELECT * FROM " + name)).isEqualTo(after);
    assertThat(rows(table.gather(keys, List.of("user", "day")))).isEqualTo(after);
    table.compact();
    assertThat(rows("SELECT * FROM " + name)).isEqualTo(after);
  }

  /** Rows of other keys are read and written; the row itself may be deleted. */
  @Test
  void aNullKeyHoldsUpNoOtherKey() {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user string, day bigint, n bigint) USING iceberg PARTITIONED BY (bucket(4, user))"
            + " TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')");
    spark.sql("INSERT INTO " + name + " VALUES ('a', 1, 1), ('b', 1, 2)");
    FeatureTable table = FeatureTable.adopt(spark, name, byUserAndDay());
    FeatureTable before = table.snapshot(table.snapshot().getAsLong());
    spark.sql("INSERT INTO " + name + " VALUES (NULL, 1, 100)");
    spark.sql("INSERT INTO " + name + " VALUES (NULL, 1, 200)");
    FeatureTable wrong = FeatureTable.open(spark, name);
    wrong = wrong.snapshot(wrong.snapshot().getAsLong());
    table = FeatureTable.open(spark, name);
    table.compact();
    table.scatter(spark.sql("SELECT 'a' AS user, 1L AS day, 10L AS n"));
    Dataset<Row> keys = spark.sql("SELECT 'a' AS user, 1L AS day");
    assertThat(rows(table.gather(keys, List.of("user", "day")))).containsExactly("[a,1,11]");
    String check = "CALL nd.system.check('" + name + "')";
    assertThat(rows(check)).hasSize(1).first().asString().contains("null key");
    assertThat(table.evict("user IS NULL").rows()).isEqualTo(2);
    assertThat(rows(check)).isEmpty();
    for (FeatureTable since : List.of(before, wrong)) {
      assertThat(rows(table.changesSince(since).select("user", "n"))).containsExactly("[a,11]");
    }
    table.compact();
    assertThat(rows("SELECT * FROM " + name)).containsExactly("[a,1,11]", "[b,1,2]");
  }

  /** Pages of NULLs have no bounds, and are before those of keys in a sorted file. */
  @Test
  @Tag("slow")
  void sortedFilesMayBeginWithNulls() {
    spark.sql("CREATE TABLE " + name + " (day bigint, n bigint)" + MERGE_ON_READ);
    spark.sql(
        "INSERT INTO "
            + name
            + " SELECT /*+ COALESCE(1) */ if(id < 100000, NULL, hash(id) * 4294967296 + id), id"
            + " FROM range(400000) SORT BY 1");
    spark.sql("DELETE FROM " + name + " WHERE day IS NULL");
    FeatureTable table =
        FeatureTable.adopt(
            spark,
            name,
            FeatureTableSpec.keyedBy("day", "bigint").with(Variable.of("n", "bigint")));
    Dataset<Row> keys = spark.sql("SELECT day FROM " + name + " WHERE n % 50000 = 7");
    assertThat(table.gather(keys, List.of("day")).selectExpr("sum(n)").first().getLong(0))
        .isEqualTo(6 * 225_007L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bucket(4, user)", "bucket(4, day)", "truncate(10, day)"})
  void aNullKeyIsNamedByTheAdoption(String partitions) {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user string, day bigint, n bigint) USING iceberg PARTITIONED BY ("
            + partitions
            + ")");
    spark.sql("INSERT INTO " + name + " VALUES ('a', 1, 1), (NULL, NULL, 100)");
    FeatureTableSpec spec =
        partitions.startsWith("bucket")
            ? byUserAndDay()
            : FeatureTableSpec.numbered("day", 100).with(Variable.of("n", "bigint"));
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("null key");
  }

  @Test
  void deletedRowsOfTensorsMayHaveNulls() {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (i0 bigint, i1 bigint, value array<float>) USING iceberg"
            + " PARTITIONED BY (truncate(20, i0)) TBLPROPERTIES ('format-version' = '3',"
            + " 'write.delete.mode' = 'merge-on-read')");
    spark.sql(
        "INSERT INTO "
            + name
            + " SELECT /*+ COALESCE(1) */ id, if(id = 7, NULL, id % 3), CASE WHEN id = 5 THEN NULL"
            + " WHEN id = 6 THEN array(1F) WHEN id = 8 THEN array(1F, NULL) ELSE array(float(id),"
            + " 1F) END FROM range(20)");
    spark.sql("DELETE FROM " + name + " WHERE i0 BETWEEN 5 AND 8");
    TensorTable table =
        TensorTable.adopt(
            spark, name, TensorSpec.of(DType.FLOAT32, Shape.of(20, 3, 2)).withIndexDepth(2));
    Tensor expected = naive(0);
    try (DistributedTensor tensor = table.load(Partitioning.of(2))) {
      assertThat(tensor.collect()).isEqualTo(expected);
    }
    table.scatter(
        Scatter.add(),
        spark.sql("SELECT 4L AS i0, 1L AS i1, array(100F, 0F) AS value"),
        TensorColumns.of("value", "i0", "i1"));
    table.compact();
    try (DistributedTensor tensor = table.load(Partitioning.of(3))) {
      assertThat(tensor.collect()).isEqualTo(naive(100));
    }
  }

  /** Returns the rows that are not deleted, one of them with more. */
  private static Tensor naive(float more) {
    float[] values = new float[20 * 3 * 2];
    for (int id = 0; id < 20; id++) {
      if (id < 5 || id > 8) {
        int unit = (id * 3 + id % 3) * 2;
        values[unit] = id + (id == 4 ? more : 0);
        values[unit + 1] = 1;
      }
    }
    return Tensor.wrap(DType.FLOAT32, Shape.of(20, 3, 2), values);
  }
}
