/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.metrics.Counted;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.options.Retention;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests concurrent commits of others after a scatter has read the table and before it commits. */
@Tag("slow")
class ConcurrentTableCommitTest {
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  private TensorTable table;
  private long[] before;

  @BeforeEach
  void makeTable() {
    table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    before = plus(new long[ROWS], 0, ROWS, 1);
  }

  @Test
  void concurrentScatterOfTheSameRowsIsNotLost() throws Exception {
    Counted counted = Counted.start();
    TableCommit commit =
        raced(
            () -> add(5, 25, 10), () -> table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    counted.close();
    assertThat(counted.of(SparkNdMetric.TABLE_LOST_RACES)).isEqualTo(1);
    assertThat(counted.of(SparkNdMetric.TABLE_BLOCKS_REDONE)).isEqualTo(2);
    assertThat(counted.of(SparkNdMetric.TABLE_COMMITS)).isEqualTo(2);
    assertThat(counted.of(SparkNdMetric.TABLE_UPDATES)).isEqualTo(40);
    assertThat(read(table)).isEqualTo(plus(plus(before, 5, 25, 10), 0, 20, 100));
    assertThat(commit.attempts()).isEqualTo(2);
    assertThat(commit.snapshot()).isEqualTo(table.snapshot().getAsLong());
  }

  /** The interrupt comes in the pause before the next attempt. */
  @Test
  void aLostRaceOfAnInterruptedThreadLeavesNoFile() throws Exception {
    Logger logger = (Logger) LogManager.getLogger("io.sparknd.table.internal.commit.CommitLoop");
    AbstractAppender interrupting =
        new AbstractAppender("interrupting", null, null, false, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            if (event.getMessage().getFormattedMessage().contains("conflicted")) {
              Thread.currentThread().interrupt();
            }
          }
        };
    interrupting.start();
    logger.addAppender(interrupting);
    logger.setLevel(Level.INFO);
    try {
      assertThatThrownBy(
              () ->
                  raced(
                      () -> add(5, 25, 10),
                      () -> table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS)))
          .isInstanceOf(InterruptedException.class);
    } finally {
      logger.setLevel(Level.WARN);
      logger.removeAppender(interrupting);
    }
    assertThat(read(table)).isEqualTo(plus(before, 5, 25, 10));
    assertNoFileTooMany();
  }

  /** The update that commits last wins. */
  @Test
  void lastCommittedUpdateWins() throws Exception {
    raced(
        () -> table.scatter(Scatter.update(), updates(5, 25, 7), COLUMNS),
        () -> table.scatter(Scatter.update(), updates(0, 20, 8), COLUMNS));
    long[] expected = before.clone();
    for (int i = 0; i < 25; i++) {
      expected[i] = i < 20 ? 8 : 7;
    }
    assertThat(read(table)).isEqualTo(expected);
  }

  @Test
  void retryRecomputesOnlyChangedBlocks() throws Exception {
    AtomicInteger dataFiles = new AtomicInteger();
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CLOSED && path.endsWith(".parquet") && dataFiles.get() < 3) {
            dataFiles.incrementAndGet();
          } else if (step == Step.CREATE && path.endsWith(".avro") && !done.getAndSet(true)) {
            HookedLake.elsewhere(
                () -> add(0, 10, 10)); // writes the fourth data file, not counted above
            dataFiles.set(10);
          } else if (step == Step.CLOSED && path.endsWith(".parquet") && done.get()) {
            dataFiles.incrementAndGet();
          }
        };
    TableCommit commit;
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      commit = table.scatter(Scatter.add(), updates(0, ROWS, 100), COLUMNS);
    }
    assertThat(read(table)).isEqualTo(plus(plus(before, 0, 10, 10), 0, ROWS, 100));
    assertThat(commit.attempts()).isEqualTo(2);
    assertThat(commit.blocks()).isEqualTo(3);
    assertThat(dataFiles).hasValue(11);
    assertNoFileTooMany();
  }

  @Test
  void concurrentScatterOfOtherRowsInTheSameBlocksIsNotLost() throws Exception {
    raced(() -> add(0, 3, 10), () -> table.scatter(Scatter.add(), updates(3, 6, 100), COLUMNS));
    assertThat(read(table)).isEqualTo(plus(plus(before, 0, 3, 10), 3, 6, 100));
  }

  @Test
  void concurrentlyDeletedRowsStartFromTheFillValue() throws Exception {
    raced(
        () -> HookedLake.spark().sql("DELETE FROM " + table.name() + " WHERE i0 IN (2, 15)"),
        () -> table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    long[] expected = plus(before, 0, 20, 100);
    expected[2] = 100;
    expected[15] = 100;
    assertThat(read(table)).isEqualTo(expected);
  }

  @Test
  void concurrentlyDeletedBlocksStartFromTheFillValue() throws Exception {
    raced(
        () -> HookedLake.spark().sql("DELETE FROM " + table.name() + " WHERE i0 < 10"),
        () -> table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    long[] expected = plus(before, 10, 20, 100);
    for (int i = 0; i < 10; i++) {
      expected[i] = 100;
    }
    assertThat(read(table)).isEqualTo(expected);
  }

  @Test
  void concurrentlyInsertedRowsAreUpdated() throws Exception {
    TensorTable fresh = HookedLake.create();
    TableCommit commit =
        raced(
            () -> HookedLake.spark().sql("INSERT INTO " + fresh.name() + " VALUES (3, 7), (12, 8)"),
            () -> fresh.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    long[] expected = plus(new long[ROWS], 0, 20, 100);
    expected[3] = 107;
    expected[12] = 108;
    assertThat(read(fresh)).isEqualTo(expected);
    assertThat(commit.attempts()).isEqualTo(2);
  }

  @Test
  void concurrentlyRewrittenFilesAreReadAgain() throws Exception {
    SparkSession.setActiveSession(HookedLake.spark()); // Iceberg's action looks for a catalog in it
    add(0, 3, 10);
    raced(
        () ->
            SparkActions.get(HookedLake.spark())
                .rewriteDataFiles(table.iceberg())
                .option("rewrite-all", "true")
                .execute(),
        () -> table.scatter(Scatter.add(), updates(2, 14, 100), COLUMNS));
    assertThat(read(table)).isEqualTo(plus(plus(before, 0, 3, 10), 2, 14, 100));
  }

  @Test
  void concurrentCompactionLosesNoUpdate() throws Exception {
    add(0, 3, 10);
    raced(() -> table.compact(), () -> table.scatter(Scatter.add(), updates(2, 14, 100), COLUMNS));
    assertThat(read(table)).isEqualTo(plus(plus(before, 0, 3, 10), 2, 14, 100));
  }

  /** A compaction that loses the race skips blocks that no longer need it. */
  @Test
  void retriedCompactionSkipsBlocksThatNoLongerNeedIt() throws Exception {
    add(0, 3, 10);
    add(11, 13, 10);
    TableCommit commit =
        raced(
            () -> HookedLake.spark().sql("DELETE FROM " + table.name() + " WHERE i0 < 10"),
            () -> table.compact());
    assertThat(commit.outcome()).isEqualTo(TableCommit.Outcome.COMMITTED);
    assertThat(commit.blocks()).isEqualTo(1);
    long[] expected = plus(before, 11, 13, 10);
    for (int i = 0; i < 10; i++) {
      expected[i] = 0;
    }
    assertThat(read(table)).isEqualTo(expected);
    assertNoFileTooMany();
  }

  /** The snapshot is expired, and files that the scatter has to read are deleted. */
  @Test
  void scatterRetriesIfItsSnapshotIsCompactedAndExpired() throws Exception {
    add(0, 3, 10);
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".parquet") && !done.getAndSet(true)) {
            HookedLake.elsewhere(table::compact);
            HookedLake.elsewhere(() -> table.expire(NOTHING));
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      table.scatter(Scatter.add(), updates(0, ROWS, 100), COLUMNS);
    }
    assertThat(done).isTrue();
    assertThat(read(table)).isEqualTo(plus(plus(before, 0, 3, 10), 0, ROWS, 100));
    assertNoFileTooMany();
  }

  @Test
  void concurrentExpiryLosesNoUpdate() throws Exception {
    raced(
        () -> {
          add(5, 25, 10);
          add(5, 25, 10);
          table.expire(NOTHING);
        },
        () -> table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    assertThat(read(table)).isEqualTo(plus(plus(before, 5, 25, 20), 0, 20, 100));
    assertNoFileTooMany();
  }

  @Tag("slow")
  @Test
  void concurrentChangeOfPropertiesDoesNotFailTheScatter() throws Exception {
    AtomicInteger left = new AtomicInteger(12);
    AtomicBoolean inside = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          boolean isCommit = step == Step.CLOSED && path.endsWith(".metadata.json");
          if (isCommit && left.get() > 0 && inside.compareAndSet(false, true)) {
            TensorTable other = TensorTable.open(HookedLake.spark(), table.name());
            other.iceberg().updateProperties().set("owner", "n" + left.getAndDecrement()).commit();
            inside.set(false);
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      table.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS);
    }
    assertThat(left).hasValue(0);
    assertThat(read(table)).isEqualTo(plus(before, 0, 20, 100));
  }

  /** It was reported as a commit that the catalog did not answer, and its files were left. */
  @Test
  void anIndexColumnThatIsRenamedMeanwhileIsNamed() throws Exception {
    assertThatThrownBy(
            () ->
                raced(
                    () -> {
                      Table iceberg = TensorTable.open(HookedLake.spark(), table.name()).iceberg();
                      iceberg.updateSchema().renameColumn("i0", "row").commit();
                    },
                    () -> table.scatter(Scatter.add(), updates(2, 14, 100), COLUMNS)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("i0 long");
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg.updateSchema().renameColumn("row", "i0").commit();
    assertThat(read(table)).isEqualTo(before);
    assertNoFileTooMany();
  }

  /** Snapshots from between the renames have the other name for ever. */
  @Test
  void anIndexColumnMayHaveHadAnotherName() throws Exception {
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg.updateSchema().renameColumn("i0", "row").commit();
    iceberg.rewriteManifests().clusterBy(file -> 1).commit();
    iceberg.manageSnapshots().createBranch("audit").commit();
    iceberg.updateSchema().renameColumn("row", "i0").commit();
    table = TensorTable.open(HookedLake.spark(), table.name());
    assertThat(read(table)).isEqualTo(before);
    assertThat(gathered(table)).isEqualTo(before);
    TensorTable audit = table.branch("audit");
    raced(
        () -> audit.scatter(Scatter.add(), updates(5, 25, 10), COLUMNS),
        () -> audit.scatter(Scatter.add(), updates(0, 20, 100), COLUMNS));
    raced(
        () -> add(5, 25, 1000), () -> table.scatter(Scatter.add(), updates(0, 20, 2000), COLUMNS));
    assertThat(gathered(audit)).isEqualTo(plus(plus(before, 5, 25, 10), 0, 20, 100));
    assertThat(read(table)).isEqualTo(plus(plus(before, 5, 25, 1000), 0, 20, 2000));
  }

  private static long[] gathered(TensorTable table) {
    try (DistributedTensor tensor = table.load(Partitioning.of(2))) {
      Tensor all = tensor.collect();
      return IntStream.range(0, ROWS).mapToLong(i -> (Long) all.element(i)).toArray();
    }
  }

  @Test
  void ifChangedFailNamesTheChangedRows() throws Exception {
    assertThatThrownBy(
            () ->
                raced(
                    () -> add(18, 25, 10),
                    () ->
                        table
                            .write()
                            .scatter(Scatter.update(), updates(0, 20, 100), COLUMNS)
                            .ifChanged(IfChanged.FAIL)
                            .commit()))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("changed [18], [19] since it was read");
    assertThat(read(table)).isEqualTo(plus(before, 18, 25, 10));
    assertNoFileTooMany();
  }

  @Test
  void ifChangedFailIgnoresChangesOfOtherRows() throws Exception {
    TableCommit commit =
        raced(
            () -> add(20, 25, 10),
            () ->
                table
                    .write()
                    .scatter(Scatter.update(), updates(15, 20, 100), COLUMNS)
                    .scatter(Scatter.add(), updates(26, 28, 5), COLUMNS)
                    .ifChanged(IfChanged.FAIL)
                    .commit());
    long[] expected = plus(plus(before, 20, 25, 10), 26, 28, 5);
    for (int i = 15; i < 20; i++) {
      expected[i] = 100;
    }
    assertThat(read(table)).isEqualTo(expected);
    assertThat(commit.attempts()).isEqualTo(2);
  }

  @Test
  void scatterAppliesToATableRolledBackConcurrently() throws Exception {
    long first = table.snapshot().getAsLong();
    add(0, 20, 10);
    TableCommit commit =
        raced(
            () ->
                TensorTable.open(HookedLake.spark(), table.name())
                    .iceberg()
                    .manageSnapshots()
                    .rollbackTo(first)
                    .commit(),
            () -> table.scatter(Scatter.add(), updates(5, 25, 100), COLUMNS));
    assertThat(read(table)).isEqualTo(plus(before, 5, 25, 100));
    assertThat(commit.attempts()).isEqualTo(2);
  }

  /** Several threads use one handle at the same time. */
  @Tag("slow")
  @Test
  void concurrentThreadsLoseNoUpdate() throws Exception {
    int writers = 4;
    int commits = 3;
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    List<Future<TableCommit>> results = new ArrayList<>();
    long[] expected = before;
    for (int writer = 0; writer < writers; writer++) {
      for (int commit = 0; commit < commits; commit++) {
        int from = 5 * writer;
        expected = plus(expected, from, from + 12, 1);
        results.add(
            pool.submit(() -> table.scatter(Scatter.add(), updates(from, from + 12, 1), COLUMNS)));
      }
    }
    List<Long> snapshots = new ArrayList<>();
    for (Future<TableCommit> result : results) {
      snapshots.add(result.get().snapshot());
    }
    pool.shutdown();
    assertThat(snapshots).doesNotHaveDuplicates();
    assertThat(read(table)).isEqualTo(expected);
    assertNoFileTooMany();
  }

  private void add(int from, int to, long value) {
    TensorTable.open(HookedLake.spark(), table.name())
        .scatter(Scatter.add(), updates(from, to, value), COLUMNS);
  }

  /** Runs {@code other} after {@code own} has written its files and before it commits. */
  private static <T> T raced(Runnable other, Callable<T> own) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".avro") && !done.getAndSet(true)) {
            HookedLake.elsewhere(other);
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      T result = own.call();
      assertThat(done).isTrue();
      return result;
    }
  }

  /** Checks that the files of lost races are deleted. */
  private void assertNoFileTooMany() throws IOException {
    List<String> data = new ArrayList<>(HookedLake.files(table));
    data.removeIf(file -> file.contains("/metadata/"));
    List<String> known =
        HookedLake.spark()
            .table(table.name() + ".all_files")
            .select("file_path")
            .collectAsList()
            .stream()
            .map(row -> java.nio.file.Path.of(java.net.URI.create(row.getString(0))).toString())
            .distinct()
            .sorted()
            .toList();
    assertThat(data).isEqualTo(known);
  }
}
