/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests branches and write-audit-publish. Reads and commits use the same branch as Iceberg's. */
class TableBranchTest {
  private static final String WAP_BRANCH = "spark.wap.branch";
  private static final String WAP_ID = "spark.wap.id";

  private final SparkSession spark = TestTables.spark();
  private TensorTable table;

  @BeforeEach
  void makeTable() {
    SparkSession.setActiveSession(spark);
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    table =
        TestTables.create(
            TensorSpec.of(DType.INT64, Shape.of(4))
                .withRowsPerBlock(2)
                .withProperty("write.wap.enabled", "true"));
    add(table, 0, 10);
  }

  @AfterEach
  void dropTable() {
    spark.conf().unset(WAP_BRANCH);
    spark.conf().unset(WAP_ID);
    spark.sql("DROP TABLE " + table.name());
  }

  private Dataset<Row> updates(long id, long value) {
    return spark.sql("SELECT " + id + "L AS id, " + value + "L AS v");
  }

  private TableCommit add(TensorTable to, long id, long value) {
    return to.scatter(Scatter.add(), updates(id, value), TensorColumns.of("v", "id"));
  }

  private TableCommit send(TensorTable to, String batch) {
    return to.write()
        .scatter(Scatter.add(), updates(1, 1), TensorColumns.of("v", "id"))
        .batchId(batch)
        .commit();
  }

  private static List<Object> values(TensorTable of) {
    try (DistributedTensor tensor = of.load(Partitioning.of(2))) {
      return IntStream.range(0, 4).mapToObj(tensor.collect()::element).toList();
    }
  }

  /** Gathers rows by SQL. */
  private List<Long> gather(String from) {
    return gather(spark, from);
  }

  private static List<Long> gather(SparkSession session, String from) {
    return session
        .sql(
            "SELECT value FROM gather_nd(TABLE("
                + from
                + "), TABLE(SELECT id FROM range(4))) ORDER BY id")
        .collectAsList()
        .stream()
        .map(row -> row.getLong(0))
        .toList();
  }

  private long main() {
    table.iceberg().refresh();
    return table.iceberg().currentSnapshot().snapshotId();
  }

  private long head(String branch) {
    table.iceberg().refresh();
    return table.iceberg().refs().get(branch).snapshotId();
  }

  private Snapshot snapshot(long id) {
    table.iceberg().refresh();
    return table.iceberg().snapshot(id);
  }

  private void makeBranch(String branch) {
    table.iceberg().manageSnapshots().createBranch(branch).commit();
  }

  @Test
  void scatterWithAWapBranchDoesNotChangeMain() {
    long before = main();
    spark.conf().set(WAP_BRANCH, "audit");
    assertThat(values(table)).as("before the branch is there").containsExactly(10L, 0L, 0L, 0L);
    TableCommit first = add(table, 1, 5);
    TableCommit second = add(table, 1, 5);
    assertThat(main()).isEqualTo(before);
    assertThat(head("audit")).isEqualTo(second.snapshot());
    assertThat(snapshot(second.snapshot()).parentId()).isEqualTo(first.snapshot());
    assertThat(snapshot(first.snapshot()).parentId()).isEqualTo(before);

    spark.conf().unset(WAP_BRANCH);
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 0L);
    table.iceberg().manageSnapshots().fastForwardBranch("main", "audit").commit();
    assertThat(values(table)).containsExactly(10L, 10L, 0L, 0L);
  }

  @Test
  void gatherReadsTheWapBranchIfItExists() {
    spark.conf().set(WAP_BRANCH, "audit");
    TableCommit audited = add(table, 1, 5);
    assertThat(values(table)).containsExactly(10L, 5L, 0L, 0L);
    assertThat(table.snapshot()).hasValue(audited.snapshot());
    assertThat(table.info().snapshot()).hasValue(audited.snapshot());
    assertThat(table.toDataset().count()).isEqualTo(2);
    Dataset<Row> ids = spark.sql("SELECT 1L AS id");
    assertThat(table.gather(Gather.strict(), ids, List.of("id")).first().getLong(1)).isEqualTo(5);
    assertThat(gather(table.name())).containsExactly(10L, 5L, 0L, 0L);
    spark.conf().unset(WAP_BRANCH);
    assertThat(gather(table.name())).containsExactly(10L, 0L, 0L, 0L);
  }

  @Test
  void timeTravelIgnoresTheWapBranch() {
    long before = main();
    spark.conf().set(WAP_BRANCH, "audit");
    add(table, 1, 5);
    assertThat(gather("SELECT * FROM " + table.name() + " VERSION AS OF " + before))
        .containsExactly(10L, 0L, 0L, 0L);
    assertThat(values(table.snapshot(before))).containsExactly(10L, 0L, 0L, 0L);
  }

  @Test
  void versionsByNameIgnoreTheWapBranch() {
    long before = main();
    table.iceberg().manageSnapshots().createTag("v1", before).commit();
    spark.conf().set(WAP_BRANCH, "audit");
    add(table, 1, 5);
    SparkSession extended = TestTables.withExtensions();
    extended.conf().set(WAP_BRANCH, "audit");
    long later = Instant.now().toEpochMilli() + 1000;
    for (String version : List.of("tag_v1", "snapshot_id_" + before, "at_timestamp_" + later)) {
      String name = table.name() + "." + version;
      if (!Spark3Util.extensionsEnabled(spark)) {
        assertThat(gather(spark, name)).as(version).containsExactly(10L, 0L, 0L, 0L);
      }
      // Iceberg's extensions put the session's branch in place of the version
      assertThatThrownBy(() -> gather(extended, name))
          .hasMessageContaining("read branch 'audit' of spark.wap.branch: use VERSION AS OF");
    }
    String named = "SELECT * FROM " + table.name() + " VERSION AS OF 'v1'";
    assertThat(gather(extended, named)).containsExactly(10L, 0L, 0L, 0L);
    assertThat(gather(extended, table.name())).containsExactly(10L, 5L, 0L, 0L);
  }

  /** A table whose own name looks like a selector is read at the session's branch. */
  @Test
  void tableThatIsNamedLikeATagIsReadAtTheWapBranch() {
    TensorTable named =
        TensorTable.create(
            spark,
            "lake.tests.tag_v1",
            TensorSpec.of(DType.INT64, Shape.of(4)).withProperty("write.wap.enabled", "true"));
    add(named, 0, 10);
    spark.conf().set(WAP_BRANCH, "audit");
    add(named, 1, 5);
    SparkSession extended = TestTables.withExtensions();
    extended.conf().set(WAP_BRANCH, "audit");
    for (SparkSession session : List.of(spark, extended)) {
      assertThat(gather(session, named.name())).containsExactly(10L, 5L, 0L, 0L);
    }
    spark.sql("DROP TABLE " + named.name());
  }

  private FeatureTable audited() {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("id", "bigint")
            .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
            .withProperty("write.wap.enabled", "true"));
  }

  @Test
  void featuresOfATagIgnoreTheWapBranch() {
    FeatureTable users = audited();
    users.scatter(updates(1, 5));
    users.iceberg().manageSnapshots().createTag("v1", users.snapshot().getAsLong()).commit();
    spark.conf().set(WAP_BRANCH, "audit");
    users.scatter(updates(1, 2));
    SparkSession extended = TestTables.withExtensions();
    extended.conf().set(WAP_BRANCH, "audit");
    String gather = "SELECT v FROM gather_nd(TABLE(%s), TABLE(SELECT 1L AS id))";
    String tag = gather.formatted(users.name() + ".tag_v1");
    if (!Spark3Util.extensionsEnabled(spark)) {
      assertThat(spark.sql(tag).first().getLong(0)).isEqualTo(5);
    }
    assertThatThrownBy(() -> extended.sql(tag).first()).hasMessageContaining("VERSION AS OF");
    assertThat(spark.sql(gather.formatted(users.name())).first().getLong(0)).isEqualTo(7);
    spark.sql("DROP TABLE " + users.name());
  }

  /** Iceberg's own reads of the session's branch need its extensions. */
  @ParameterizedTest
  @ValueSource(strings = {"audit", "20260501"})
  void rowsOfFeaturesAreThoseOfTheWapBranch(String branch) {
    FeatureTable users = audited();
    users.scatter(updates(1, 5));
    spark.conf().set(WAP_BRANCH, branch);
    assertThat(users.toDataset().collectAsList()).containsExactly(RowFactory.create(1L, 5L));
    long audited = users.scatter(updates(1, 2)).snapshot();
    assertThat(users.snapshot()).hasValue(audited);
    assertThat(users.toDataset().collectAsList()).containsExactly(RowFactory.create(1L, 7L));
    assertThat(users.branch("main").toDataset().collectAsList())
        .containsExactly(RowFactory.create(1L, 5L));
    spark.sql("DROP TABLE " + users.name());
  }

  @Test
  void scatterWithAWapIdIsStaged() {
    long before = main();
    spark.conf().set(WAP_ID, "batch-7");
    TableCommit staged = add(table, 1, 5);
    assertThat(staged.outcome()).isEqualTo(Outcome.STAGED);
    assertThat(main()).isEqualTo(before);
    assertThat(snapshot(staged.snapshot()).summary()).containsEntry("wap.id", "batch-7");
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 0L);
    assertThat(gather(table.name())).containsExactly(10L, 0L, 0L, 0L);
    assertThat(values(table.snapshot(staged.snapshot()))).containsExactly(10L, 5L, 0L, 0L);

    spark.conf().unset(WAP_ID);
    table.iceberg().manageSnapshots().cherrypick(staged.snapshot()).commit();
    assertThat(values(table)).containsExactly(10L, 5L, 0L, 0L);
  }

  @Test
  void stagedBatchDoesNotCountUntilPublished() {
    spark.conf().set(WAP_ID, "batch-7");
    TableCommit staged = send(table, "b");
    spark.conf().unset(WAP_ID);
    assertThatThrownBy(() -> table.batch("b")).isInstanceOf(SparkNdException.class);
    table.iceberg().manageSnapshots().cherrypick(staged.snapshot()).commit();
    assertThat(send(table, "b").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(values(table)).containsExactly(10L, 1L, 0L, 0L);
  }

  /**
   * Like an INSERT that is retried with its WAP id: both commits are staged and one is published.
   */
  @Test
  void batchStagedTwiceIsAppliedOnce() {
    spark.conf().set(WAP_ID, "batch-7");
    TableCommit one = send(table, "b");
    TableCommit again = send(table, "b");
    spark.conf().unset(WAP_ID);
    assertThat(again.outcome()).isEqualTo(Outcome.STAGED);
    table.iceberg().manageSnapshots().cherrypick(one.snapshot()).commit();
    assertThatThrownBy(
            () -> table.iceberg().manageSnapshots().cherrypick(again.snapshot()).commit())
        .isInstanceOf(ValidationException.class);
    assertThat(values(table)).containsExactly(10L, 1L, 0L, 0L);
  }

  /** As by a job that is run again with an id of its own. */
  @Test
  void batchStagedUnderTwoIdsIsPublishedOnce() {
    TableCommit one = stage("run-1", "b");
    TableCommit again = stage("run-2", "b");
    assertThat(again.outcome()).isEqualTo(Outcome.STAGED);
    publish("run-1");
    assertThat(main()).isEqualTo(one.snapshot());
    assertThatThrownBy(() -> publish("run-2")).hasMessageContaining("fast-forward");
    assertThat(send(table, "b").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(values(table)).containsExactly(10L, 1L, 0L, 0L);
    assertThat(table.toDataset().count()).isEqualTo(2);
  }

  @Test
  void batchWithoutRowsIsStagedToo() {
    spark.conf().set(WAP_ID, "run-1");
    TableCommit staged =
        table
            .write()
            .scatter(Scatter.add(), updates(1, 1).where("false"), TensorColumns.of("v", "id"))
            .batchId("b")
            .commit();
    spark.conf().unset(WAP_ID);
    assertThat(staged.outcome()).isEqualTo(Outcome.STAGED);
    publish("run-1");
    assertThat(send(table, "b").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 0L);
  }

  /** Iceberg would publish staged appends beside rows of the same index. */
  @Test
  void stagedRowsAreNotPublishedOntoOtherCommits() {
    TableCommit staged = stage("run-1", "b");
    add(table, 1, 3);
    assertThatThrownBy(
            () -> table.iceberg().manageSnapshots().cherrypick(staged.snapshot()).commit())
        .isInstanceOf(ValidationException.class);
    stage("run-2", "b");
    publish("run-2");
    assertThat(values(table)).containsExactly(10L, 4L, 0L, 0L);
    assertThat(table.toDataset().count()).isEqualTo(2);
  }

  @Test
  void batchOfFeaturesStagedUnderTwoIdsIsPublishedOnce() {
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("id", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withProperty("write.wap.enabled", "true"));
    long[] staged = new long[2];
    for (int run = 0; run < 2; run++) {
      spark.conf().set(WAP_ID, "run-" + run);
      staged[run] = users.write().scatter(updates(1, 5)).batchId("b").commit().snapshot();
    }
    spark.conf().unset(WAP_ID);
    users.iceberg().manageSnapshots().cherrypick(staged[0]).commit();
    assertThatThrownBy(() -> users.iceberg().manageSnapshots().cherrypick(staged[1]).commit())
        .isInstanceOf(ValidationException.class);
    assertThat(users.toDataset().collectAsList()).containsExactly(RowFactory.create(1L, 5L));
    spark.sql("DROP TABLE " + users.name());
  }

  /** Iceberg would publish an append of a branch beside rows of the same key. */
  @Test
  void newRowsOfABranchAreNotPublishedOntoOtherCommits() {
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("id", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add())));
    users.scatter(updates(1, 5));
    users.iceberg().manageSnapshots().createBranch("audit").commit();
    users.branch("audit").scatter(updates(2, 5));
    users.scatter(updates(2, 1));
    users.iceberg().refresh();
    long audited = users.iceberg().refs().get("audit").snapshotId();
    assertThatThrownBy(() -> users.iceberg().manageSnapshots().cherrypick(audited).commit())
        .isInstanceOf(ValidationException.class);
    assertThat(users.toDataset().count()).isEqualTo(2);
    spark.sql("DROP TABLE " + users.name());
  }

  @Test
  void refusedCompactionLeavesTheBuckets() {
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("id", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(1)
                .withProperty("sparknd.rows-per-bucket", "1")
                .withProperty("write.wap.enabled", "true"));
    users.scatter(spark.sql("SELECT id, 1L AS v FROM range(20)"));
    for (String branch : List.of("", "audit")) {
      spark.conf().set(WAP_ID, "run-1");
      if (!branch.isEmpty()) {
        spark.conf().set(WAP_BRANCH, branch);
      }
      assertThatThrownBy(users::compact)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(WAP_ID);
      users.iceberg().refresh();
      assertThat(users.iceberg().spec().toString()).contains("bucket[1]");
    }
    spark.conf().unset(WAP_ID);
    spark.conf().unset(WAP_BRANCH);
    users.compact();
    users.iceberg().refresh();
    assertThat(users.iceberg().spec().toString()).contains("bucket[8]");
    spark.sql("DROP TABLE " + users.name());
  }

  private TableCommit stage(String wapId, String batch) {
    spark.conf().set(WAP_ID, wapId);
    TableCommit staged = send(table, batch);
    spark.conf().unset(WAP_ID);
    return staged;
  }

  private void publish(String wapId) {
    String name = table.name().substring(table.name().indexOf('.') + 1);
    spark.sql("CALL lake.system.publish_changes('" + name + "', '" + wapId + "')");
    table.iceberg().refresh();
  }

  @Test
  void wapIdTogetherWithAWapBranchIsRejected() {
    long before = main();
    spark.conf().set(WAP_ID, "batch-7");
    spark.conf().set(WAP_BRANCH, "audit");
    assertThatThrownBy(() -> add(table, 1, 5))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining(WAP_ID)
        .hasMessageContaining(WAP_BRANCH);
    assertThatThrownBy(() -> values(table)).isInstanceOf(SparkNdException.class);
    assertThat(main()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {WAP_BRANCH, WAP_ID})
  void wapSettingsApplyOnlyToTablesWithWapEnabled(String setting) {
    table.iceberg().updateProperties().remove("write.wap.enabled").commit();
    spark.conf().set(setting, "audit");
    TableCommit commit = add(table, 1, 5);
    assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(main()).isEqualTo(commit.snapshot());
    assertThat(table.iceberg().refs()).containsOnlyKeys("main");
  }

  @Test
  void scatterToABranchDoesNotChangeMain() {
    makeBranch("x");
    long before = main();
    TensorTable x = table.branch("x");
    add(x, 1, 5);
    TableCommit last = add(TensorTable.open(spark, table.name() + ".branch_x"), 2, 6);
    assertThat(main()).isEqualTo(before);
    assertThat(head("x")).isEqualTo(last.snapshot());
    assertThat(values(x)).containsExactly(10L, 5L, 6L, 0L);
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 0L);
    assertThat(gather(table.name() + ".branch_x")).containsExactly(10L, 5L, 6L, 0L);
    add(table, 3, 1);
    assertThat(values(x)).containsExactly(10L, 5L, 6L, 0L);
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 1L);
  }

  @Test
  void namedBranchOverridesTheWapBranch() {
    makeBranch("x");
    spark.conf().set(WAP_BRANCH, "audit");
    add(table.branch("x"), 1, 5);
    add(table.branch("main"), 2, 6);
    assertThat(table.iceberg().refs()).doesNotContainKey("audit");
    assertThat(values(table.branch("x"))).containsExactly(10L, 5L, 0L, 0L);
    assertThat(values(table.branch("main"))).containsExactly(10L, 0L, 6L, 0L);
  }

  @Test
  void missingBranchIsRejected() {
    table.iceberg().manageSnapshots().createTag("v1", main()).commit();
    makeBranch("x");
    assertThatThrownBy(() -> table.branch("y"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(table.name())
        .hasMessageContaining("'y'")
        .hasMessageContaining("[main, x]");
    assertThatThrownBy(() -> TensorTable.open(spark, table.name() + ".branch_y"))
        .hasMessageContaining("'y'");
    assertThatThrownBy(() -> table.branch("v1")).hasMessageContaining("tag");
    spark.conf().set(WAP_BRANCH, "v1");
    assertThatThrownBy(() -> add(table, 1, 5))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("'v1' of table " + table.name() + " is a tag");
  }

  /** A name such as users.branch_x is that of the branch until there is a table of it. */
  @Test
  void tableThatWouldHideAVersionIsNotCreated() {
    makeBranch("x");
    for (String name : List.of("branch_x", "tag_v1", "snapshot_id_7", "at_timestamp_7")) {
      String hiding = table.name() + "." + name;
      assertThatThrownBy(
              () -> TensorTable.create(spark, hiding, TensorSpec.of(DType.INT64, Shape.of(4))))
          .as(name)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(
              hiding + " selects a branch, tag or snapshot of table " + table.name())
          .hasMessageContaining("use another name");
      assertThatThrownBy(
              () ->
                  FeatureTable.create(
                      spark,
                      hiding,
                      FeatureTableSpec.keyedBy("k", "string").with(Variable.of("n", "bigint"))))
          .hasMessageContaining(hiding + " selects a branch, tag or snapshot of table ");
    }
    assertThat(values(TensorTable.open(spark, table.name() + ".branch_x"))).hasSize(4);
  }

  @Test
  void droppedBranchIsNotRecreated() {
    makeBranch("x");
    TensorTable x = table.branch("x");
    TableWrite write = x.write().scatter(Scatter.add(), updates(1, 5), TensorColumns.of("v", "id"));
    table.iceberg().manageSnapshots().removeBranch("x").commit();
    assertThatThrownBy(write::commit).hasMessageContaining("'x'");
    assertThatThrownBy(() -> values(x)).hasMessageContaining("'x'");
    table.iceberg().refresh();
    assertThat(table.iceberg().refs()).containsOnlyKeys("main");
  }

  @Test
  void tagsAndSnapshotsAreReadOnly() {
    long then = main();
    table.iceberg().manageSnapshots().createTag("v1", then).commit();
    add(table, 1, 5);
    for (String name : List.of(".tag_v1", ".snapshot_id_" + then)) {
      TensorTable past = TensorTable.open(spark, table.name() + name);
      assertThat(values(past)).as(name).containsExactly(10L, 0L, 0L, 0L);
      assertThatThrownBy(() -> add(past, 1, 5)).hasMessageContaining("snapshot " + then);
    }
    assertThatThrownBy(() -> TensorTable.open(spark, table.name() + ".tag_v2"))
        .hasMessageContaining("v2");
    long now = Instant.now().toEpochMilli() + 1000;
    assertThat(values(TensorTable.open(spark, table.name() + ".at_timestamp_" + now)))
        .containsExactly(10L, 5L, 0L, 0L);
    assertThatThrownBy(() -> TensorTable.open(spark, table.name() + ".branches"))
        .isInstanceOf(SparkNdException.class);
  }

  @Test
  void batchOfABranchMayBeSentToMain() {
    makeBranch("x");
    TensorTable x = table.branch("x");
    assertThat(send(x, "b").outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(send(x, "b").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(send(table, "b").outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(values(x)).containsExactly(10L, 1L, 0L, 0L);
    assertThat(values(table)).containsExactly(10L, 1L, 0L, 0L);
    assertThat(values(x.batch("b"))).containsExactly(10L, 1L, 0L, 0L);
  }

  @Test
  void compactionOfABranchDoesNotChangeMain() {
    makeBranch("x");
    long before = main();
    TensorTable x = table.branch("x");
    add(x, 1, 5);
    add(x, 1, 5);
    assertThat(x.compact().outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(main()).isEqualTo(before);
    assertThat(x.info().dataFiles()).isEqualTo(1);
    assertThat(values(x)).containsExactly(10L, 10L, 0L, 0L);

    spark.conf().set(WAP_ID, "batch-7");
    assertThatThrownBy(() -> table.compact())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(WAP_ID);
  }

  @Test
  void timeTravelByTimestampOnABranchIsRejected() {
    makeBranch("x");
    assertThatThrownBy(() -> table.branch("x").asOf(Instant.now()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("'x'");
  }

  @Test
  void proceduresWriteToTheBranch() {
    makeBranch("x");
    long before = main();
    String call = "CALL nd.system.scatter_nd('%s', 'SELECT 1L, 5L')";
    spark.sql(String.format(call, table.name() + ".branch_x")).collect();
    assertThat(gather(table.name() + ".branch_x")).containsExactly(10L, 5L, 0L, 0L);
    spark.conf().set(WAP_BRANCH, "audit");
    spark.sql(String.format(call, table.name())).collect();
    assertThat(gather(table.name())).containsExactly(10L, 5L, 0L, 0L);
    spark.conf().unset(WAP_BRANCH);
    spark.conf().set(WAP_ID, "batch-7");
    Row staged = spark.sql(String.format(call, table.name())).first();
    assertThat(staged.<String>getAs("outcome")).isEqualTo("staged");
    assertThat(main()).isEqualTo(before);
  }

  @Test
  void concurrentScattersToABranchAllApply() {
    makeBranch("x");
    IntStream.range(0, 6).parallel().forEach(i -> add(table.branch("x"), i % 2, 1));
    assertThat(values(table.branch("x"))).containsExactly(13L, 3L, 0L, 0L);
    assertThat(values(table)).containsExactly(10L, 0L, 0L, 0L);
  }
}
