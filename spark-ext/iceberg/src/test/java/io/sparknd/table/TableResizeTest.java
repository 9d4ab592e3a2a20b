/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.internal.commit.TableResize;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests changes of the size of a numbered axis, alone and beside other commits. */
@Tag("slow")
class TableResizeTest {
  private final SparkSession spark = HookedLake.spark();

  @Test
  void tensorGrowsAndReadersSeeTheFillValue() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    TensorTable other = TensorTable.open(spark, table.name());
    assertRefused(() -> table.scatter(Scatter.add(), updates(45, 46, 1), COLUMNS), "out of bounds");
    table.resize(50);
    for (TensorTable each : List.of(table, other, TensorTable.open(spark, table.name()))) {
      assertThat(each.shape()).isEqualTo(Shape.of(50));
      assertThat(each.info().shape()).isEqualTo(Shape.of(50));
    }
    assertThat(gathered(other, 5, 49)).containsExactly(1L, 0L);
    assertRefused(() -> gathered(other, 50), "out of bounds");
    other.scatter(Scatter.add(), updates(19, 50, 10), COLUMNS);
    assertThat(gathered(table, 18, 19, 20, 49)).containsExactly(1L, 11L, 10L, 10L);
    assertThat(loaded(table)).hasSize(50).endsWith(10L);
    assertThat(table.info().rowsPerBlock()).isEqualTo(10);
    assertThat(table.info().blocks()).isEqualTo(5);
    assertThat(spark.table(table.name()).where("i0 >= 30").count()).isEqualTo(20);
  }

  @Test
  void onlyTheFirstDimensionChanges() {
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            TensorSpec.of(DType.FLOAT32, Shape.of(4, 3, 2)).withIndexColumns("a.b", "c"));
    Dataset<Row> one = spark.sql("SELECT 3L AS x, 2L AS y, array(1F, 2F) AS v");
    TensorColumns columns = TensorColumns.of("v", "x", "y");
    table.scatter(Scatter.update(), one, columns);
    table.resize(1_000_000_000_000L).resize(6);
    assertThat(table.shape()).isEqualTo(Shape.of(6, 3, 2));
    table.scatter(Scatter.add(), one.selectExpr("x + 2 AS x", "y", "v"), columns);
    assertRefused(() -> table.resize(5), "has the row a.b = 5");
    assertThat(spark.table(table.name()).collectAsList())
        .extracting(Row::toString)
        .containsExactlyInAnyOrder("[3,2,ArraySeq(1.0, 2.0)]", "[5,2,ArraySeq(1.0, 2.0)]");
    assertRefused(() -> table.resize(Long.MAX_VALUE), "elements");
    assertRefused(() -> table.resize(0), "size is 0");
    assertRefused(() -> table.resize(-3), "size is -3");
    assertThat(table.shape()).isEqualTo(Shape.of(6, 3, 2));
  }

  @Test
  void tensorShrinksOnlyIfNoRowIsBeyond() {
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            HookedLake.spec().withProperty("write.delete.mode", "merge-on-read"));
    table.scatter(Scatter.add(), updates(0, 25, 1), COLUMNS);
    assertRefused(
        () -> table.resize(24), "branch 'main' has the row i0 = 24; delete such rows first");
    assertThat(table.shape()).isEqualTo(Shape.of(ROWS));
    // one file whose rows are partly deleted, one whose rows all are: bounds say 24 still
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 24");
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 IN (13, 15, 17)");
    assertRefused(() -> table.resize(17), "has the row i0 = ");
    table.resize(24);
    assertThat(table.shape()).isEqualTo(Shape.of(24));
    assertRefused(() -> table.scatter(Scatter.add(), updates(24, 25, 1), COLUMNS), "out of bounds");
    table.scatter(Scatter.add(), updates(20, 24, 1), COLUMNS);
    assertThat(gathered(table, 23, 12, 13)).containsExactly(2L, 1L, 0L);
    assertThat(table.compact().outcome().name()).isEqualTo("COMMITTED");
    assertThat(loaded(table)).hasSize(24);
  }

  @Test
  void rowsOfOtherBranchesCount() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 10, 1), COLUMNS);
    table.iceberg().manageSnapshots().createBranch("audit", table.snapshot().getAsLong()).commit();
    table.branch("audit").scatter(Scatter.add(), updates(20, 21, 1), COLUMNS);
    assertRefused(() -> table.resize(20), "branch 'audit' has the row i0 = 20");
    table.resize(21);
    assertThat(gathered(table.branch("audit"), 20)).containsExactly(1L);
    assertRefused(
        () -> table.branch("audit").scatter(Scatter.add(), updates(21, 22, 1), COLUMNS),
        "out of bounds");
  }

  @Test
  void snapshotsFromBeforeTheTensorShrankKeepTheirSize() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    long full = table.snapshot().getAsLong();
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 >= 12");
    table.resize(12);
    table.scatter(Scatter.add(), updates(0, 12, 1), COLUMNS);
    long small = table.snapshot().getAsLong();
    TensorTable old = table.snapshot(full);
    assertThat(old.shape()).isEqualTo(Shape.of(ROWS));
    assertThat(gathered(old, 29)).containsExactly(1L);
    assertThat(loaded(old)).hasSize(ROWS).containsOnly(1L);
    assertThat(table.shape()).isEqualTo(Shape.of(12));
    assertThat(loaded(table)).hasSize(12).containsOnly(2L);
    String version = table.name() + " VERSION AS OF " + full;
    assertThat(sum(version)).isEqualTo(ROWS);
    table.resize(100);
    assertThat(table.snapshot(small).shape()).isEqualTo(Shape.of(100));
    assertThat(table.snapshot(full).shape()).isEqualTo(Shape.of(100));
    table.expire(Retention.of(Duration.ZERO));
    table.resize(12);
    assertThat(loaded(table)).hasSize(12).containsOnly(2L);
  }

  private long sum(String relation) {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    return spark
        .sql(
            "SELECT sum(value) FROM gather_nd(TABLE(SELECT * FROM "
                + relation
                + "),"
                + " TABLE(SELECT id AS i0 FROM range("
                + ROWS
                + ")))")
        .first()
        .getLong(0);
  }

  @Test
  void tableRolledBackToALargerSizeIsReadAndNotWritten() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    long full = table.snapshot().getAsLong();
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 >= 12");
    table.resize(12);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().rollbackTo(full).commit();
    assertThat(loaded(table)).hasSize(ROWS).containsOnly(1L);
    assertRefused(
        () -> table.scatter(Scatter.add(), updates(0, 5, 1), COLUMNS),
        "rolled back to has the row i0 = ");
    assertRefused(table::compact, "resize the table to 30");
    table.resize(ROWS);
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    assertThat(loaded(table)).hasSize(ROWS).containsOnly(2L);
  }

  @Test
  void scatterPreparedWithTheLargerSizeDoesNotCommitRowsBeyond() throws Exception {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 10, 1), COLUMNS);
    assertThatThrownBy(
            () ->
                raced(
                    () -> TensorTable.open(spark, table.name()).resize(15),
                    () -> table.scatter(Scatter.add(), updates(8, 20, 1), COLUMNS)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("was resized from 30 to 15 while rows beyond that were written");
    assertThat(loaded(table)).hasSize(15);
    assertThat(spark.table(table.name()).where("i0 >= 10").count()).isZero();
    HookedLake.assertNoOrphans(table);
    // rows that the new size has are committed
    table.resize(ROWS);
    raced(
        () -> TensorTable.open(spark, table.name()).resize(15),
        () -> table.scatter(Scatter.add(), updates(8, 15, 1), COLUMNS));
    assertThat(gathered(table, 0, 8, 14)).containsExactly(1L, 2L, 1L);
  }

  /** The scatter commits after the rows were looked up, and before the size changes. */
  @Test
  void rowsOfAConcurrentScatterStopAShrink() throws Exception {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 10, 1), COLUMNS);
    assertThatThrownBy(
            () ->
                raced(
                    () ->
                        TensorTable.open(spark, table.name())
                            .scatter(Scatter.add(), updates(20, 21, 5), COLUMNS),
                    () -> table.resize(15)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has the row i0 = 20");
    assertThat(loaded(table)).hasSize(ROWS).contains(5L);
    raced(
        () ->
            TensorTable.open(spark, table.name())
                .scatter(Scatter.add(), updates(0, 10, 1), COLUMNS),
        () -> table.resize(21));
    assertThat(loaded(table)).hasSize(21).contains(2L, 5L);
  }

  /** A concurrent growth must not be taken back without a look at the rows. */
  @Test
  void concurrentResizesDoNotLoseRows() throws Exception {
    TensorTable table = HookedLake.create();
    raced(
        () -> {
          TensorTable other = TensorTable.open(spark, table.name());
          other.resize(80);
          other.scatter(Scatter.add(), updates(70, 71, 1), COLUMNS);
        },
        () -> {
          assertRefused(() -> table.resize(50), "has the row i0 = 70");
          return table;
        });
    assertThat(table.shape()).isEqualTo(Shape.of(80));
  }

  @Test
  void restCatalogDetectsTheRaces(@TempDir Path directory) throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      spark.conf().set("spark.sql.catalog.rested", "org.apache.iceberg.spark.SparkCatalog");
      spark.conf().set("spark.sql.catalog.rested.type", "rest");
      spark.conf().set("spark.sql.catalog.rested.uri", server.address());
      spark.conf().set("spark.sql.catalog.rested.cache-enabled", "false");
      spark.conf().set("spark.sql.catalog.rested.io-impl", HookedIO.class.getName());
      TensorTable table = TensorTable.create(spark, "rested.a.t", HookedLake.spec());
      table.scatter(Scatter.add(), updates(0, 10, 1), COLUMNS);
      assertThatThrownBy(
              () ->
                  raced(
                      () -> TensorTable.open(spark, table.name()).resize(15),
                      () -> table.scatter(Scatter.add(), updates(8, 20, 1), COLUMNS)))
          .isInstanceOf(CommitConflictException.class);
      assertThatThrownBy(
              () ->
                  raced(
                      () ->
                          TensorTable.open(spark, table.name())
                              .scatter(Scatter.add(), updates(12, 13, 5), COLUMNS),
                      () -> table.resize(11)))
          .hasMessageContaining("has the row i0 = 12");
      assertThat(loaded(table)).hasSize(15).contains(5L);
    }
  }

  @Test
  void numberedFeatureTableGrowsAndShrinks() throws Exception {
    FeatureTable table = numbered(20);
    table.scatter(spark.sql("SELECT id AS ```i``d`, 1L AS n FROM range(20)"));
    assertRefused(
        () -> table.scatter(spark.sql("SELECT 20L AS ```i``d`, 1L AS n")), "of shape [20]");
    table.resize(40);
    table.scatter(spark.sql("SELECT id AS ```i``d`, 1L AS n FROM range(15, 40)"));
    assertThat(counts(table, 0, 19, 39)).containsExactly(8L, 9L, 8L);
    long full = table.snapshot().getAsLong();
    assertRefused(() -> table.resize(39), "has the row `i`d = 39");
    spark.sql("DELETE FROM " + table.name() + " WHERE ```i``d` >= 18");
    assertThatThrownBy(
            () ->
                raced(
                    () -> FeatureTable.open(spark, table.name()).resize(18),
                    () ->
                        table.scatter(
                            spark.sql("SELECT id AS ```i``d`, 1L AS n FROM range(15, 30)"))))
        .isInstanceOf(CommitConflictException.class);
    assertThat(counts(table, 17, 18)).containsExactly(9L, 7L);
    assertThat(counts(table.snapshot(full), 39, 5)).containsExactly(8L, 8L);
    table.compact();
    assertThat(spark.table(table.name()).selectExpr("sum(n)").first().getLong(0)).isEqualTo(147);
  }

  /** The snapshot has the column's name before. */
  @Test
  @Timeout(40)
  void aKeyMayHaveBeenRenamed() throws Exception {
    String name = HookedLake.name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id bigint NOT NULL, n bigint) USING iceberg PARTITIONED"
            + " BY (truncate(10, id)) TBLPROPERTIES ('format-version' = '3')");
    spark.sql("INSERT INTO " + name + " SELECT id, 1L FROM range(20)");
    Spark3Util.loadIcebergTable(spark, name).manageSnapshots().createBranch("audit").commit();
    spark.sql("ALTER TABLE " + name + " RENAME COLUMN id TO uid");
    FeatureTableSpec spec =
        FeatureTableSpec.numbered("uid", 100)
            .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()));
    FeatureTable table = FeatureTable.adopt(spark, name, spec);
    assertRefused(() -> table.resize(15), "branch 'audit' has the row uid = 15");
    table.resize(50);
    assertRefused(() -> table.resize(19), "has the row uid = 19");
    spark.sql("DELETE FROM " + name + " WHERE uid >= 10");
    assertRefused(() -> table.resize(10), "branch 'audit' has the row uid = 10");
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().removeBranch("audit").commit();
    table.resize(10);
    assertThat(table.toDataset().count()).isEqualTo(10);
  }

  /** Iceberg binds filters of such a branch to the schema of now. */
  @Test
  @Timeout(40)
  void aKeyOfABranchAloneMayHaveBeenRenamed() throws Exception {
    String name = HookedLake.name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id bigint NOT NULL, n bigint) USING iceberg PARTITIONED"
            + " BY (truncate(10, id)) TBLPROPERTIES ('format-version' = '3')");
    Spark3Util.loadIcebergTable(spark, name).manageSnapshots().createBranch("audit").commit();
    spark.sql("INSERT INTO " + name + ".branch_audit SELECT id, 1L FROM range(20)");
    spark.sql("ALTER TABLE " + name + " RENAME COLUMN id TO uid");
    spark.sql("ALTER TABLE " + name + " RENAME COLUMN n TO id");
    FeatureTable table =
        FeatureTable.adopt(
            spark, name, FeatureTableSpec.numbered("uid", 100).with(Variable.of("id", "bigint")));
    assertRefused(() -> table.resize(15), "branch 'audit' has the row uid = 15");
    table.resize(50);
    table.branch("audit").scatter(spark.sql("SELECT 3L AS uid, 9L AS id"));
    assertThat(table.branch("audit").toDataset().where("id = 9").count()).isEqualTo(1);
  }

  @Test
  @Timeout(40)
  void aKeyThatIsRenamedMeanwhileIsNamed() {
    FeatureTable table = numbered(20);
    table.scatter(spark.sql("SELECT id AS ```i``d`, 1L AS n FROM range(10)"));
    TableResize resize = new TableResize(spark, table.name(), table.iceberg());
    spark.sql("ALTER TABLE " + table.name() + " RENAME COLUMN ```i``d` TO other");
    assertRefused(() -> resize.run(15), "column `i`d of table");
  }

  private FeatureTable numbered(long size) {
    return FeatureTable.create(
        spark,
        HookedLake.name(),
        FeatureTableSpec.numbered("`i`d", size)
            .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()).withFill(7)));
  }

  private List<Long> counts(FeatureTable table, long... keys) {
    List<Long> values = new ArrayList<>();
    for (long key : keys) {
      values.add(
          table
              .gather(spark.sql("SELECT " + key + "L AS k"), List.of("k"), "n")
              .first()
              .getLong(1));
    }
    return values;
  }

  @Test
  void tablesWithoutANumberedAxisAreNamed() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            HookedLake.name(),
            FeatureTableSpec.keyedBy("user", "string").with(Variable.of("n", "bigint")));
    assertRefused(() -> table.resize(10), table.name() + " has no numbered axis");
    assertRefused(
        () -> new TableResize(spark, "t", table.iceberg()).requested(Map.of("sparknd.size", "5")),
        "has no numbered axis");
  }

  @Test
  void requestedPropertiesAreChecked() {
    TensorTable table =
        TensorTable.create(spark, HookedLake.name(), TensorSpec.of(DType.INT64, Shape.of(4, 3)));
    TableResize resize = new TableResize(spark, table.name(), table.iceberg());
    assertThat(resize.requested(Map.of("owner", "x"))).isEmpty();
    assertThat(resize.requested(Map.of("sparknd.shape", "(9, 3)"))).hasValue(9);
    for (String bad : List.of("[9, 4]", "[9]", "[9, 3, 1]")) {
      assertRefused(
          () -> resize.requested(Map.of("sparknd.shape", bad)), "another first dimension");
    }
    assertRefused(() -> resize.requested(Map.of("sparknd.shape", "nine")), "nine");
    assertRefused(() -> resize.requested(Map.of("sparknd.size", "9")), "no numbered axis");
    assertRefused(() -> resize.requested(Map.of("sparknd.size-history", "9@1")), "SparkND keeps");
    assertThat(resize.run(9)).isEqualTo(4);
    assertThat(table.shape()).isEqualTo(Shape.of(9, 3));
  }

  @Test
  void malformedHistoryIsNamed() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 1, 1), COLUMNS);
    for (String bad : List.of("x", "1", "1@", "@1", "1@2@3x,", "1@x")) {
      table.iceberg().refresh();
      table.iceberg().updateProperties().set("sparknd.size-history", bad).commit();
      assertRefused(table::shape, "sparknd.size-history = '" + bad + "' is not a list of sizes");
    }
  }

  @Test
  void procedureResizesBothKinds() {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(spark);
    TensorTable tensor = HookedLake.create();
    FeatureTable features = numbered(20);
    assertThat(call(tensor.name(), "44")).isEqualTo("[" + tensor.name() + ",30,44]");
    assertThat(call(features.name(), "size => 3")).isEqualTo("[" + features.name() + ",20,3]");
    assertThat(tensor.shape()).isEqualTo(Shape.of(44));
    assertThatThrownBy(() -> call(tensor.name(), "NULL")).hasMessageContaining("'size'");
    assertThatThrownBy(() -> call(tensor.name(), "0")).hasMessageContaining("size is 0");
    assertThatThrownBy(() -> call("hooked.tests.none", "5")).hasMessageContaining("does not exist");
    tensor.scatter(Scatter.add(), updates(40, 44, 1), COLUMNS);
    long snapshot = tensor.snapshot().getAsLong();
    assertThatThrownBy(() -> call(tensor.name() + ".snapshot_id_" + snapshot, "50"))
        .hasMessageContaining("read-only");
    assertThatThrownBy(() -> call(tensor.name(), "43")).hasMessageContaining("i0 = 43");
  }

  private String call(String table, String size) {
    return spark.sql("CALL nd.system.resize('" + table + "', " + size + ")").first().toString();
  }

  @Test
  void batchesAreKnownAfterAResize() {
    TensorTable table = HookedLake.create();
    table.write().scatter(Scatter.add(), updates(0, 3, 1), COLUMNS).batchId("a").commit();
    table.resize(50);
    table.expire(Retention.of(Duration.ZERO));
    table.resize(40);
    table.write().scatter(Scatter.add(), updates(0, 3, 1), COLUMNS).batchId("a").commit();
    assertThat(gathered(table, 0, 3)).containsExactly(1L, 0L);
  }

  @Test
  void randomHistoriesEqualTheModel() {
    for (long seed = 1; seed <= 2; seed++) {
      history(seed, 14);
    }
  }

  @Test
  void longRandomHistoriesEqualTheModel() {
    for (long seed = 100; seed <= 101; seed++) {
      history(seed, 30);
    }
  }

  private void history(long seed, int steps) {
    Random random = new Random(seed);
    TensorTable table = HookedLake.create();
    Map<Long, Long> model = new TreeMap<>();
    Map<Long, Map<Long, Long>> snapshots = new TreeMap<>();
    long size = ROWS;
    for (int step = 0; step < steps; step++) {
      String what = "seed " + seed + " step " + step;
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          int from = random.nextInt((int) size);
          int to = from + 1 + random.nextInt((int) size - from);
          table.scatter(Scatter.add(), updates(from, to, step), COLUMNS);
          for (long row = from; row < to; row++) {
            model.merge(row, (long) step, Long::sum);
          }
        }
        case 2 -> {
          long from = random.nextInt((int) size);
          spark.sql("DELETE FROM " + table.name() + " WHERE i0 >= " + from);
          model.keySet().removeIf(row -> row >= from);
        }
        default -> {
          long to = 1L + random.nextInt(60);
          if (model.keySet().stream().anyMatch(row -> row >= to) && to < size) {
            assertRefused(() -> table.resize(to), "delete such rows first");
          } else {
            table.resize(to);
            size = to;
          }
        }
      }
      table.snapshot().ifPresent(id -> snapshots.put(id, new TreeMap<>(model)));
      assertThat(table.shape()).as(what).isEqualTo(Shape.of(size));
      assertThat(stored(spark.table(table.name()))).as(what).isEqualTo(model);
    }
    snapshots.forEach(
        (id, then) -> assertThat(stored(table.snapshot(id).toDataset())).isEqualTo(then));
  }

  private static Map<Long, Long> stored(Dataset<Row> rows) {
    Map<Long, Long> stored = new TreeMap<>();
    rows.collectAsList().forEach(row -> stored.put(row.getLong(0), row.getLong(1)));
    return stored;
  }

  /** Two threads: whatever wins, no row is beyond the size. */
  @Test
  void threadsLeaveNoRowBeyondTheSize() throws Exception {
    TensorTable table = HookedLake.create();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 6; round++) {
        table.resize(ROWS);
        List<Future<?>> running = new ArrayList<>();
        running.add(pool.submit(() -> tried(() -> table.resize(15))));
        running.add(
            pool.submit(
                () -> tried(() -> table.scatter(Scatter.add(), updates(10, 20, 1), COLUMNS))));
        for (Future<?> each : running) {
          each.get();
        }
        long most =
            spark.sql("SELECT max(i0) FROM " + table.name()).first().isNullAt(0)
                ? -1
                : spark.sql("SELECT max(i0) FROM " + table.name()).first().getLong(0);
        assertThat(most).isLessThan(table.shape().dim(0));
        spark.sql("DELETE FROM " + table.name() + " WHERE i0 >= 10");
      }
    } finally {
      pool.shutdown();
    }
  }

  private static Object tried(Callable<?> call) throws Exception {
    try {
      return call.call();
    } catch (SparkNdException e) {
      return e;
    }
  }

  private List<Long> gathered(TensorTable table, long... rows) {
    List<Long> values = new ArrayList<>();
    for (long row : rows) {
      values.add(
          table
              .gather(Gather.strict(), spark.sql("SELECT " + row + "L AS r"), List.of("r"))
              .first()
              .getLong(1));
    }
    return values;
  }

  private static List<Long> loaded(TensorTable table) {
    try (DistributedTensor tensor = table.load(Partitioning.of(2))) {
      List<Long> values = new ArrayList<>();
      for (int i = 0; i < tensor.collect().elements(); i++) {
        values.add((Long) tensor.collect().element(i));
      }
      return values;
    }
  }

  /** Runs {@code other} after {@code own} was validated and before it commits. */
  private static <T> T raced(Runnable other, Callable<T> own) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.contains("/snap-") && !done.getAndSet(true)) {
            HookedLake.elsewhere(other);
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      return own.call();
    } finally {
      assertThat(done).isTrue();
    }
  }

  private static void assertRefused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(why);
  }
}
