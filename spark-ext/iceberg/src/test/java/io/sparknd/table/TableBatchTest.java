/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.options.Retention;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a batch sent more than once is applied once. */
class TableBatchTest {
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  private TensorTable table;

  @BeforeEach
  void makeTable() {
    table = HookedLake.create();
  }

  @Test
  void secondTryIsReplayed() {
    TableCommit first = send(table, "b1", 5);
    send(table, "b2", 100);
    TableCommit again = send(TensorTable.open(HookedLake.spark(), table.name()), "b1", 5);
    assertThat(first.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(again.outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(again.snapshot()).isEqualTo(first.snapshot());
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 105));
  }

  @Test
  void emptyBatchIsRemembered() {
    TableWrite write =
        table.write().scatter(Scatter.add(), updates(0, 0, 1), COLUMNS).batchId("empty");
    assertThat(write.commit().outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(write.commit().outcome()).isEqualTo(Outcome.REPLAYED);
  }

  @Test
  void batchIsReplayedAfterItsSnapshotExpired() {
    send(table, "b1", 5);
    send(table, "b2", 100);
    send(table, "b3", 1000);
    table.expire(NOTHING);
    assertThat(HookedLake.spark().table(table.name() + ".snapshots").count()).isEqualTo(1);
    TableCommit again = send(table, "b1", 5);
    assertThat(again.outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(again.snapshot()).isEqualTo(-1);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1105));
  }

  /** A tag keeps its snapshot; the snapshots between it and the current one expire. */
  @Test
  void batchIsReplayedAfterSnapshotsInBetweenExpired() {
    TableCommit tagged = send(table, "b1", 5);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().createTag("keep", tagged.snapshot()).commit();
    send(table, "b2", 100);
    send(table, "b3", 1000);
    table.expire(NOTHING);
    assertThat(HookedLake.spark().table(table.name() + ".snapshots").count()).isEqualTo(2);
    assertThat(send(table, "b1", 5).outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(send(table, "b2", 5).outcome()).isEqualTo(Outcome.REPLAYED);
  }

  /** A stream with an epoch a minute has the ten thousand that are recorded in a week. */
  @Test
  void epochsOfAStreamDoNotPushOutOtherBatches() {
    send(table, "nightly", 5);
    TableCommit last = send(table, "b2", 100);
    table.expire(NOTHING);
    int epochs = 10_050;
    recordEpochs(last.snapshot(), epochs);
    send(table, "b3", 1000);
    table.expire(NOTHING);
    send(table, "b4", 10_000);
    table.expire(NOTHING);
    assertThat(recorded()).hasSizeLessThan(10);
    String epoch = "stream q epoch ";
    for (String batch :
        List.of("nightly", "b2", "b3", "b4", epoch + epochs, epoch + (epochs - 1))) {
      assertThat(send(table, batch, 1).outcome()).as(batch).isEqualTo(Outcome.REPLAYED);
    }
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11_105));
  }

  private List<String> recorded() {
    table.iceberg().refresh();
    return table.iceberg().properties().keySet().stream()
        .filter(key -> key.startsWith("sparknd.batch-history."))
        .toList();
  }

  /** Records expired epochs between the first batch and {@code last}, the only snapshot. */
  private void recordEpochs(long last, int epochs) {
    String key = "sparknd.batch-history.";
    table.iceberg().refresh();
    String[] end = table.iceberg().properties().get(key + last).split(" ");
    UpdateProperties update = table.iceberg().updateProperties();
    long millis = Long.parseLong(end[0]);
    String before = end[1];
    for (int epoch = 1; epoch <= epochs; epoch++) {
      update.set(key + epoch, millis + " " + before + " stream q epoch " + epoch);
      before = Integer.toString(epoch);
    }
    update.set(key + last, millis + " " + before + " " + end[2]);
    update.commit();
  }

  /** The table no longer has the batch, so it may be sent again. */
  @Test
  void rolledBackBatchMayBeSentAgain() {
    TableCommit kept = send(table, "b1", 5);
    send(table, "b2", 100);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().rollbackTo(kept.snapshot()).commit();
    send(table, "b3", 1000);
    table.expire(NOTHING);
    assertThat(send(table, "b2", 100).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(send(table, "b1", 5).outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1105));
  }

  @Test
  void batchesAreRememberedAfterRollbackToATagAndExpiry() {
    TableCommit tagged = send(table, "a", 1);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().createTag("keep", tagged.snapshot()).commit();
    send(table, "b", 10);
    send(table, "c", 100);
    send(table, "d", 1000);
    table.expire(NOTHING);
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().setCurrentSnapshot(tagged.snapshot()).commit();
    assertThat(send(table, "b", 10).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(send(table, "c", 100).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(send(table, "a", 1).outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 111));
  }

  /** Iceberg's own expiry forgets the batches of the snapshots that it expires, and no others. */
  @Test
  void recordedBatchesSurviveExpiryByIceberg() {
    send(table, "a", 1);
    send(table, "b", 10);
    table.expire(NOTHING);
    send(table, "c", 100);
    send(table, "d", 1000);
    table.iceberg().refresh();
    table.iceberg().expireSnapshots().expireOlderThan(System.currentTimeMillis()).commit();
    assertThat(send(table, "a", 1).outcome()).isEqualTo(Outcome.REPLAYED);
    table.expire(NOTHING);
    send(table, "e", 10_000);
    table.expire(NOTHING);
    for (String batch : List.of("a", "d", "e")) {
      assertThat(send(table, batch, 1).outcome()).as(batch).isEqualTo(Outcome.REPLAYED);
    }
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11_111));
  }

  @Test
  void compactionBetweenExpiriesKeepsBatches() {
    send(table, "a", 1);
    table.scatter(Scatter.add(), updates(0, 2, 10), COLUMNS);
    table.expire(NOTHING);
    table.compact();
    table.expire(NOTHING);
    table.scatter(Scatter.add(), updates(0, 2, -10), COLUMNS);
    table.expire(NOTHING);
    assertThat(send(table, "a", 1).outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
  }

  /**
   * During an expiry, another writer commits and expires. Each remembers the batches of the
   * snapshots that it expired.
   */
  @Test
  void concurrentExpiriesKeepBatches() throws Exception {
    send(table, "b1", 1);
    send(table, "b2", 10);
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".metadata.json") && !done.getAndSet(true)) {
            HookedLake.elsewhere(
                () -> {
                  TensorTable other = TensorTable.open(HookedLake.spark(), table.name());
                  send(other, "b3", 100);
                  other.expire(NOTHING);
                  send(other, "b4", 1000);
                });
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      table.expire(NOTHING);
    }
    for (String batch : List.of("b1", "b2", "b3", "b4")) {
      assertThat(send(table, batch, 1).outcome()).as(batch).isEqualTo(Outcome.REPLAYED);
    }
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1111));
  }

  /** Every attempt loses to another commit. */
  @Test
  @Tag("slow")
  void lostExpirySaysThatSnapshotsRemain() throws Exception {
    TensorTable contested =
        TensorTable.create(
            HookedLake.spark(),
            HookedLake.name(),
            HookedLake.spec().withProperty(TableProperties.COMMIT_NUM_RETRIES, "0"));
    send(contested, "b1", 1);
    send(contested, "b2", 10);
    HookedIO.Hook lost =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".metadata.json")) {
            throw new CommitFailedException("another commit was first");
          }
        };
    try (AutoCloseable hooked = HookedIO.with(lost)) {
      assertThatThrownBy(() -> contested.expire(NOTHING))
          .isInstanceOf(CommitConflictException.class)
          .hasMessage(
              "snapshots of table "
                  + contested.name()
                  + " could not be expired in 50 attempts, because other commits changed the"
                  + " table; call again, which does no harm");
    }
    contested.expire(NOTHING);
    assertThat(read(contested)).isEqualTo(plus(new long[ROWS], 0, 20, 11));
  }

  @Test
  void oneOfSeveralConcurrentSendersCommits() throws Exception {
    send(table, "b0", 1);
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<TableCommit>> sent = new ArrayList<>();
    for (int sender = 0; sender < 3; sender++) {
      sent.add(
          pool.submit(() -> send(TensorTable.open(HookedLake.spark(), table.name()), "same", 10)));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Future<TableCommit> each : sent) {
      outcomes.add(each.get().outcome());
    }
    pool.shutdown();
    assertThat(outcomes)
        .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.REPLAYED, Outcome.REPLAYED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11));
  }

  @Test
  void blankBatchIdIsRejected() {
    assertThatThrownBy(() -> table.write().batchId(" "))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("batch id ' '");
  }

  /** A streaming query that fails between its commit and its checkpoint sends the batch again. */
  @Tag("slow")
  @Test
  void restartedStreamAppliesEachBatchOnce(@TempDir Path directory) throws Exception {
    Path input = directory.resolve("input");
    List<Outcome> outcomes = new ArrayList<>();
    updates(0, 20, 5).coalesce(1).write().parquet(input.toString());
    assertThatThrownBy(() -> stream(directory, outcomes, true))
        .isInstanceOf(StreamingQueryException.class)
        .hasMessageContaining("dies before its checkpoint");
    stream(directory, outcomes, false);
    updates(0, 20, 100).coalesce(1).write().mode(SaveMode.Append).parquet(input.toString());
    stream(directory, outcomes, false);
    assertThat(outcomes).containsExactly(Outcome.COMMITTED, Outcome.REPLAYED, Outcome.COMMITTED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 105));
  }

  private void stream(Path directory, List<Outcome> outcomes, boolean dies)
      throws IOException, TimeoutException, StreamingQueryException {
    StreamingQuery query =
        HookedLake.spark()
            .readStream()
            .schema("i0 bigint, value bigint")
            .parquet(directory.resolve("input").toString())
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", directory.resolve("checkpoint").toString())
            .foreachBatch(
                (Dataset<Row> rows, Long epoch) -> {
                  outcomes.add(
                      table
                          .write()
                          .scatter(Scatter.add(), rows, COLUMNS)
                          .batchId("counts-" + epoch)
                          .commit()
                          .outcome());
                  if (dies) {
                    throw new IllegalStateException("dies before its checkpoint");
                  }
                })
            .start();
    query.awaitTermination();
  }

  private static TableCommit send(TensorTable table, String batch, long value) {
    return table
        .write()
        .scatter(Scatter.add(), updates(0, 20, value), COLUMNS)
        .batchId(batch)
        .commit();
  }
}
