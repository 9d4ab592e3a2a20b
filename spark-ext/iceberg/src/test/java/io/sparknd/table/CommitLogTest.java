/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.JobDescriptions;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import io.sparknd.table.result.TableCommit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests what the log and the snapshots tell of commits. */
class CommitLogTest {
  private static final String COMMITS = "table.internal.commit.CommitLog";

  private static final Scatter IGNORING =
      Scatter.add().withIndices(new IndexPolicy(BadIndices.IGNORE, NegativeIndices.ERROR));

  private final SparkSession spark = HookedLake.spark();

  private FeatureTable users() {
    return FeatureTable.create(
        spark,
        HookedLake.name(),
        FeatureTableSpec.numbered("id", 100).with(Variable.of("views", "bigint")));
  }

  @Test
  void scattersReplaysAndCompactionsOfATensorHaveALineEach() {
    TensorTable table = HookedLake.create();
    try (LogLines lines = LogLines.of(COMMITS)) {
      TableCommit first =
          table.write().batchId("one").scatter(IGNORING, updates(0, ROWS + 2, 1), COLUMNS).commit();
      table.write().batchId("one").scatter(Scatter.add(), updates(0, 5, 1), COLUMNS).commit();
      table.scatter(Scatter.add(), updates(0, 5, 1), COLUMNS);
      TableCommit compacted = table.compact();
      String name = table.name();
      assertThat(lines.with("batch_id"))
          .hasSize(4)
          .startsWith(
              "INFO one: " + name + ": scatter of batch one: " + first,
              "INFO one: %s: scatter of batch one is skipped, snapshot %d has the batch"
                  .formatted(name, first.snapshot()))
          .endsWith("INFO null: " + name + ": compaction: " + compacted);
      assertThat(lines.with("table_name")).allMatch(line -> line.startsWith("INFO " + name + ": "));
      assertThat(lines.with("updates").get(0)).startsWith("INFO " + (ROWS + 2) + ": ");
      assertThat(lines.with("dropped").get(0)).startsWith("INFO 2: ");
    }
  }

  @Test
  void scattersAndEvictionsOfFeaturesHaveALineEach() {
    FeatureTable table = users();
    try (LogLines lines = LogLines.of(COMMITS)) {
      table.scatter(spark.range(5).selectExpr("id", "1L AS views"));
      table.evict("id < 3");
      assertThat(lines.with("table_name"))
          .satisfiesExactly(
              line -> assertThat(line).contains(table.name() + ": scatter: committed snapshot "),
              line -> assertThat(line).contains(table.name() + ": eviction: committed snapshot "));
    }
  }

  /** What was deleted is not applied again: the batch may be one that was late, or sent twice. */
  @Test
  void replaysIntoAnEmptiedTableAreWarnedOf() {
    FeatureTable table = users();
    Dataset<Row> rows = spark.range(5).selectExpr("id", "1L AS views");
    TableCommit first = table.write().batchId("day").scatter(rows).commit();
    spark.sql("DELETE FROM " + table.name() + " WHERE id < 2");
    try (LogLines lines = LogLines.of(COMMITS)) {
      assertThat(table.write().batchId("day").scatter(rows).commit().outcome())
          .isEqualTo(TableCommit.Outcome.REPLAYED);
      spark.sql("TRUNCATE TABLE " + table.name());
      table.iceberg().refresh();
      long emptied = table.iceberg().currentSnapshot().snapshotId();
      assertThat(table.write().batchId("day").scatter(rows).commit().outcome())
          .isEqualTo(TableCommit.Outcome.REPLAYED);
      String skipped = "day: %s: scatter of batch day is skipped, snapshot %d has the batch";
      assertThat(lines.with("batch_id"))
          .containsExactly(
              "INFO " + skipped.formatted(table.name(), first.snapshot()),
              "WARN "
                  + skipped.formatted(table.name(), first.snapshot())
                  + (", though snapshot %d deleted all rows since: send rows that the table is to have"
                          + " again under other batch ids")
                      .formatted(emptied));
    }
    assertThat(table.toDataset().count()).isZero();
    table.write().batchId("v2/day").scatter(rows).commit();
    assertThat(table.toDataset().count()).isEqualTo(5);
  }

  @Test
  void gathersOfFeaturesHaveALine() {
    FeatureTable table = users();
    try (LogLines lines = LogLines.of("table.internal.keyed.FeatureGather")) {
      table.gather(spark.range(5).toDF("id"), List.of("id"));
      assertThat(lines.with("table_name"))
          .containsExactly(
              "INFO %1$s: gather from %1$s: the latest values of 1 variables"
                  .formatted(table.name()));
    }
  }

  @Test
  void jobsHaveTheTableAndTheBatchUnlessTheCallerDescribesThem() throws Exception {
    SparkContext context = spark.sparkContext();
    TensorTable table = HookedLake.create();
    Runnable scatter =
        () -> table.write().scatter(Scatter.add(), updates(0, 5, 1), COLUMNS).batchId("b").commit();
    Runnable failing = () -> table.scatter(Scatter.add(), updates(0, ROWS + 1, 1), COLUMNS);
    try (JobDescriptions jobs = JobDescriptions.of(context)) {
      assertThat(jobs.of(scatter)).containsOnly(table.name() + ": scatter of batch b");
      assertThat(jobs.of(() -> assertThatThrownBy(failing::run)))
          .containsOnly(table.name() + ": scatter");
      assertThat(jobs.of(() -> spark.range(3).toJavaRDD().count())).containsOnly("null");
      context.setJobDescription("of the caller");
      assertThat(jobs.of(() -> table.scatter(Scatter.add(), updates(0, 5, 1), COLUMNS)))
          .containsOnly("of the caller");
      assertThat(context.getLocalProperty("spark.job.description")).isEqualTo("of the caller");
    }
  }

  @Test
  void snapshotsCountDroppedUpdatesAsTheCommitDoes() {
    TensorTable tensor = HookedLake.create();
    TableCommit numbered = tensor.scatter(IGNORING, updates(0, ROWS + 1, 1), COLUMNS);
    assertThat(numbered.dropped()).isEqualTo(1);
    assertThat(summary(tensor.iceberg())).containsAllEntriesOf(counts(numbered));
    FeatureTable table = users();
    TableCommit keyed =
        table
            .write()
            .scatter(
                spark.range(0, 101).selectExpr("id", "1L AS views"),
                FeatureUpdates.declared().ignoringBadKeys())
            .commit();
    assertThat(keyed.updates()).isEqualTo(101);
    assertThat(summary(table.iceberg())).containsAllEntriesOf(counts(keyed));
    table.scatter(spark.range(5).selectExpr("id", "1L AS views"));
    assertThat(summary(table.iceberg()))
        .containsEntry("sparknd.updates", "5")
        .doesNotContainKey("sparknd.dropped");
  }

  private static Map<String, String> summary(Table table) {
    table.refresh();
    return table.currentSnapshot().summary();
  }

  private static Map<String, String> counts(TableCommit did) {
    return Map.of(
        "sparknd.updates", Long.toString(did.updates()),
        "sparknd.dropped", Long.toString(did.dropped()));
  }

  @Test
  void aFileThatAFailedTaskCannotDeleteIsAWarning() throws Exception {
    TensorTable table = HookedLake.create();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (TaskContext.get() != null && path.endsWith(".parquet")) {
            if (step == Step.CLOSED || step == Step.DELETE) {
              throw new IOException("the store is gone");
            }
          }
        };
    try (LogLines lines = LogLines.of("table.internal.block.TaskFiles")) {
      try (AutoCloseable hooked = HookedIO.with(hook)) {
        assertThatThrownBy(() -> table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS))
            .hasStackTraceContaining("the store is gone");
      }
      assertThat(lines.with("table_name"))
          .isNotEmpty()
          .allMatch(line -> line.startsWith("WARN " + table.name() + ": "))
          .allMatch(line -> line.endsWith(" could not be deleted; remove_orphans deletes it"));
    }
  }
}
