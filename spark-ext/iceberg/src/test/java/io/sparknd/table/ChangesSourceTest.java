/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the changes of tables as a streaming source. */
class ChangesSourceTest {
  private final SparkSession spark = TestTables.spark();

  @TempDir Path folder;

  /** What a sink holds that applies the changes: views by user. */
  private final Map<String, Long> replica = new TreeMap<>();

  private final List<Long> batches = new ArrayList<>();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private FeatureTable users() {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(0))
            .withBuckets(3));
  }

  private static void scatter(FeatureTable table, String batch, String... users) {
    SparkSession spark = SparkSession.active();
    table
        .write()
        .batchId(batch)
        .scatter(
            spark.sql(
                "SELECT user, 1L AS views FROM VALUES ('"
                    + String.join("'), ('", users)
                    + "') AS e(user)"))
        .commit();
  }

  private Dataset<Row> changes(FeatureTable table, String... options) {
    var reader = spark.readStream().format("sparknd-changes");
    for (int i = 0; i < options.length; i += 2) {
      reader = reader.option(options[i], options[i + 1]);
    }
    return reader.load(table.name());
  }

  /** Applies all changes that there are to the replica. */
  private void follow(Dataset<Row> changes) throws Exception {
    VoidFunction2<Dataset<Row>, Long> apply =
        (rows, id) -> {
          batches.add(id);
          rows.collectAsList().forEach(this::apply);
        };
    StreamingQuery query =
        changes
            .writeStream()
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .foreachBatch(apply)
            .start();
    query.awaitTermination();
  }

  private void apply(Row row) {
    String user = row.getAs("user");
    switch (row.<String>getAs("_change_type")) {
      case "INSERT" -> assertThat(replica.put(user, row.getAs("views"))).isNull();
      case "UPDATE_AFTER" -> assertThat(replica.put(user, row.getAs("views"))).isNotNull();
      default -> assertThat(replica.remove(user)).isNotNull();
    }
  }

  private static Map<String, Long> rows(FeatureTable table) {
    Map<String, Long> rows = new TreeMap<>();
    table
        .toDataset()
        .collectAsList()
        .forEach(row -> rows.put(row.getAs("user"), row.getAs("views")));
    return rows;
  }

  @Test
  void queriesFollowTheTable() throws Exception {
    FeatureTable table = users();
    follow(changes(table));
    assertThat(replica).isEmpty();
    scatter(table, "a", "u", "v", "u");
    follow(changes(table));
    assertThat(replica).containsOnly(Map.entry("u", 2L), Map.entry("v", 1L));
    int count = batches.size();
    follow(changes(table));
    assertThat(batches).hasSize(count); // nothing new
    scatter(table, "b", "v", "w");
    table.evict("user = 'u'");
    table.compact();
    follow(changes(table));
    assertThat(replica).containsOnly(Map.entry("v", 2L), Map.entry("w", 1L));
    long first = table.batch("a").snapshot().getAsLong();
    table.iceberg().manageSnapshots().rollbackTo(first).commit();
    follow(changes(table));
    assertThat(replica).isEqualTo(rows(table)).containsKey("u");
  }

  @Test
  void aMicroBatchThatIsRunAgainHasTheSameRows() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u", "v");
    follow(changes(table));
    scatter(table, "b", "v", "w");
    follow(changes(table));
    Map<String, Long> before = new TreeMap<>(replica);
    replica.keySet().removeAll(List.of("w"));
    replica.put("v", 1L);
    scatter(table, "c", "x"); // committed since
    // a crash after the micro-batch's rows were applied and before the checkpoint knew
    Files.delete(folder.resolve("checkpoint/commits/1"));
    Files.deleteIfExists(folder.resolve("checkpoint/commits/.1.crc"));
    follow(changes(table));
    assertThat(batches).containsExactly(0L, 1L, 1L, 2L);
    before.put("x", 1L);
    assertThat(replica).isEqualTo(before).isEqualTo(rows(table));
  }

  @Tag("slow")
  @Test
  void randomHistoriesAreFollowed() throws Exception {
    FeatureTable table = users();
    Random random = new Random(23);
    for (int step = 0; step < 12; step++) {
      switch (random.nextInt(6)) {
        case 0 -> table.evict("user < 'u" + random.nextInt(4) + "'");
        case 1 -> table.compact();
        case 2 -> rollBack(table, random);
        default -> scatter(table, "b" + step, "u" + random.nextInt(9), "u" + random.nextInt(9));
      }
      if (random.nextInt(2) == 0) {
        follow(changes(table));
        assertThat(replica).as("step " + step).isEqualTo(rows(table));
      }
    }
  }

  private static void rollBack(FeatureTable table, Random random) {
    table.iceberg().refresh();
    List<Long> ids = new ArrayList<>();
    table.iceberg().snapshots().forEach(snapshot -> ids.add(snapshot.snapshotId()));
    if (!ids.isEmpty()) {
      long id = ids.get(random.nextInt(ids.size()));
      table.iceberg().manageSnapshots().setCurrentSnapshot(id).commit();
    }
  }

  @Test
  void queriesBeginAfterABatchOrASnapshot() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u", "v");
    scatter(table, "b", "w");
    follow(changes(table, "since-batch", "a"));
    assertThat(replica).containsOnly(Map.entry("w", 1L));
    String first = Long.toString(table.batch("a").snapshot().getAsLong());
    assertThat(changes(table, "since-snapshot", first).columns())
        .containsExactly("user", "views", "_change_type", "_changed_variables");
    assertThatThrownBy(() -> changes(table, "since-batch", "a", "since-snapshot", first))
        .hasMessageContaining("one of since-batch and since-snapshot");
    assertThatThrownBy(() -> changes(table, "since", "a")).hasMessageContaining("since = a");
    assertThatThrownBy(() -> spark.readStream().format("sparknd-changes").load())
        .hasMessageContaining("the name of a table");
    assertThatThrownBy(() -> spark.read().format("sparknd-changes").load(table.name()).count())
        .hasMessageContaining("sparknd-changes");
  }

  @Test
  void statesToBeginAfterAreFoundWhenAQueryBegins() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u");
    assertThatThrownBy(() -> follow(changes(table, "since-batch", "c")))
        .hasMessageContaining("has no snapshot of batch 'c'");
    assertThatThrownBy(() -> follow(changes(table, "since-snapshot", "x")))
        .hasMessageContaining("since-snapshot = x");
    scatter(table, "b", "v");
    follow(changes(table, "since-batch", "a"));
    scatter(table, "c", "w");
    table
        .iceberg()
        .expireSnapshots()
        .expireSnapshotId(table.batch("a").snapshot().getAsLong())
        .commit();
    follow(changes(table, "since-batch", "a")); // the checkpoint is further
    assertThat(replica).containsOnlyKeys("v", "w");
    String snapshot = ".snapshot_id_" + table.snapshot().getAsLong();
    assertThatThrownBy(
            () -> spark.readStream().format("sparknd-changes").load(table.name() + snapshot))
        .hasMessageContaining("a table or a branch");
  }

  @Test
  void otherVariablesAreAnError() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u");
    Dataset<Row> changes = changes(table);
    follow(changes);
    table.addVariable(Variable.of("clicks", "bigint")).dropVariable("views");
    table.scatter(spark.sql("SELECT 'v' AS user, 1L AS clicks"));
    assertThatThrownBy(() -> follow(changes)).hasMessageContaining("load them again");
    assertThat(replica).containsOnly(Map.entry("u", 1L));
    assertThat(changes(table).columns()).contains("clicks").doesNotContain("views");
  }

  /** Rows without a value change, and no file has them: a sink would keep the values before. */
  @Test
  void otherFillValuesAreAnError() throws Exception {
    FeatureTable table = users();
    table.addVariable(Variable.of("clicks", "bigint").withFill(0));
    scatter(table, "a", "u");
    follow(changes(table));
    spark.sql(
        "ALTER TABLE "
            + table.name()
            + " SET TBLPROPERTIES ('sparknd.variable.clicks.fill' = '7')");
    assertThatThrownBy(() -> follow(changes(table)))
        .hasMessageContaining("'clicks'")
        .hasMessageContaining("fill 0 at the query's checkpoint and is ")
        .hasMessageContaining("new checkpoint location");
    spark.sql(
        "ALTER TABLE "
            + table.name()
            + " SET TBLPROPERTIES ('sparknd.variable.clicks.fill' = '0')");
    scatter(table, "b", "u", "v");
    follow(changes(table));
    assertThat(replica).isEqualTo(rows(table));
  }

  @Test
  void columnsOfTheSameNameAreOthers() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u");
    Dataset<Row> changes = changes(table);
    follow(changes);
    table.dropVariable("views");
    table.addVariable(
        Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(0));
    assertThatThrownBy(() -> follow(changes)).hasMessageContaining("'views'");
  }

  /** Queries that began with an earlier version go on. */
  @Test
  void offsetsWithoutColumnsAreRead() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u");
    follow(changes(table));
    Path offset = folder.resolve("checkpoint/offsets/0");
    String written = Files.readString(offset);
    assertThat(written).contains("\"columns\"");
    Files.writeString(offset, written.replaceAll(",\"columns\":\\{[^}]*}", ""));
    Files.delete(folder.resolve("checkpoint/offsets/.0.crc"));
    scatter(table, "b", "v");
    follow(changes(table));
    assertThat(replica).containsOnly(Map.entry("u", 1L), Map.entry("v", 1L));
  }

  @Test
  void whatIsNotKnownAnyMoreIsAnError() throws Exception {
    FeatureTable table = users();
    scatter(table, "a", "u");
    follow(changes(table));
    scatter(table, "b", "v");
    table.expire(Retention.of(Duration.ZERO));
    assertThatThrownBy(() -> follow(changes(table)))
        .hasMessageContaining("has expired")
        .hasMessageContaining("new checkpoint location");
    assertThat(replica).containsOnly(Map.entry("u", 1L));
    Files.writeString(folder.resolve("checkpoint/offsets/1"), "v1\n{}\n{\"snapshot\":12.5}");
    Files.deleteIfExists(folder.resolve("checkpoint/offsets/.1.crc"));
    assertThatThrownBy(() -> follow(changes(table))).hasMessageContaining("12.5");
  }

  private void set(TensorTable table, String batch, String rows) {
    Dataset<Row> updates = spark.sql("SELECT * FROM VALUES " + rows + " AS e(i, v)");
    table
        .write()
        .batchId(batch)
        .scatter(Scatter.update(), updates, TensorColumns.of("v", "i"))
        .commit();
  }

  @Test
  void tensorsAreFollowed() throws Exception {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.UINT32, Shape.of(50)).withRowsPerBlock(10));
    Dataset<Row> changes =
        spark
            .readStream()
            .format("sparknd-changes")
            .load(table.name())
            .selectExpr("string(i0) AS user", "value AS views", "_change_type");
    set(table, "a", "(1, 10L), (12, 4000000000L)");
    follow(changes);
    assertThat(replica).containsOnly(Map.entry("1", 10L), Map.entry("12", 4_000_000_000L));
    set(table, "b", "(12, 13L), (49, 0L)");
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 1");
    follow(changes); // another query, from the checkpoint
    assertThat(replica).containsOnly(Map.entry("12", 13L), Map.entry("49", 0L));
    long first = table.batch("a").snapshot().getAsLong();
    table.iceberg().manageSnapshots().rollbackTo(first).commit();
    follow(changes);
    assertThat(replica).containsOnly(Map.entry("1", 10L), Map.entry("12", 4_000_000_000L));
    assertThat(batches).hasSize(3);
  }
}
