/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.Retention;
import io.sparknd.table.result.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.iceberg.SnapshotSummary;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQueryException;

/** Runs the steps of the feature store over several days and prints their results. */
public final class ShopWorkflow {
  /** The tag of the last night's snapshot. */
  public static final String TAG = "last-night";

  private static final long LABELS = 5_000;

  private final SparkSession spark;
  private final ShopEvents events;
  private final Path checkpoint;
  private final String redis;
  private final List<LocalDate> batches;
  private final List<LocalDate> nights;

  /** Null until this instance has created its table. */
  private UserFeatures features;

  /** Null until then, too. */
  private FeatureServing serving;

  /**
   * @param spark a session with a catalog {@code lake} and time zone UTC
   * @param events events that are not written yet
   * @param checkpoint the checkpoint location of the stream
   * @param redis address of a Redis server, which need not be there
   */
  public ShopWorkflow(SparkSession spark, ShopEvents events, Path checkpoint, String redis) {
    this.spark = spark;
    this.events = events;
    this.checkpoint = checkpoint;
    this.redis = redis;
    this.batches = events.batches();
    this.nights = batches.subList(0, batches.size() - 1);
  }

  /**
   * Runs all steps and prints their results.
   *
   * @return whether the features equal those computed by plain SQL, and those looked up online
   */
  public boolean run() throws IOException, TimeoutException, StreamingQueryException {
    events.write(spark);
    say(
        "events",
        "%d days of %,d events, some one or two nights late",
        events.days(),
        events.perDay());
    features = UserFeatures.create(spark, events.users());
    say("table", "%s", features.table());
    nights.subList(0, nights.size() - 1).forEach(night -> ingest(features, night));
    say("resent", "%s: %s", nights.get(1), outcome(again(features)));
    rollBack(features);
    ingest(features, nights.get(nights.size() - 1));
    serving = new FeatureServing(features.table(), redis);
    serving.publish();
    stream(features);
    boolean isTrainingSetRight = isTrainingSetRight(features);
    serving.publish();
    boolean isRight = serving.lookUp() && areUsersRight() && isTrainingSetRight;
    maintain(features);
    say(
        "resent",
        "%s: %s, although its snapshot is expired",
        nights.get(1),
        outcome(again(features)));
    return isRight;
  }

  /** Drops the table if this instance has created it; an older table stays. */
  public void dropTable() {
    if (features == null) {
      return;
    }
    try {
      if (serving != null) {
        serving.remove();
      }
    } finally {
      spark.sql("DROP TABLE " + UserFeatures.NAME);
    }
  }

  private void ingest(UserFeatures features, LocalDate night) {
    long known = spark.table(UserFeatures.NAME).count();
    long start = System.nanoTime();
    TableCommit commit = features.ingest(events.of(spark, night), night);
    double seconds = (System.nanoTime() - start) * 1e-9;
    say(
        night.toString(),
        "%,d updates of %,d users, %,d of them new, one commit, %.1f s",
        commit.updates(),
        commit.rows(),
        spark.table(UserFeatures.NAME).count() - known,
        seconds);
  }

  private TableCommit again(UserFeatures features) {
    LocalDate night = nights.get(1);
    return features.ingest(events.of(spark, night), night);
  }

  private static String outcome(TableCommit commit) {
    return commit.outcome().name().toLowerCase(Locale.ROOT);
  }

  /** Ingests a batch with all prices 0 and rolls it back: no update could restore the minima. */
  private void rollBack(UserFeatures features) {
    LocalDate night = nights.get(nights.size() - 1);
    Dataset<Row> free = events.of(spark, night).withColumn("price", functions.expr("decimal(0)"));
    features.ingest(free, night);
    say("bad batch", "%s: %,d users have a lowest price of 0", night, cheap());
    features.rollBackTo(night.minusDays(1).toString());
    say("rolled back", "to %s: %,d users", night.minusDays(1), cheap());
  }

  private long cheap() {
    return spark.table(UserFeatures.NAME).where("lowest_price = 0").count();
  }

  /** Streams the last day and repeats its last micro-batch. */
  private void stream(UserFeatures features)
      throws IOException, TimeoutException, StreamingQueryException {
    String day = batches.get(batches.size() - 1).toString();
    EventStream stream = new EventStream(spark, events.folder(day), checkpoint);
    long commits = stream.run(features, day);
    say(
        day,
        "stream: %,d updates in %d micro-batches, one commit each",
        events.of(spark, batches.get(batches.size() - 1)).count(),
        commits);
    stream.forgetLast(commits - 1);
    long more = stream.run(features, day);
    say("restarted", "after a crash before the checkpoint: %d more commits", more);
  }

  private boolean isTrainingSetRight(UserFeatures features) {
    List<LocalDate> days = batches.subList(1, batches.size());
    Dataset<Row> labels = TrainingSet.labels(spark, days, events.users(), LABELS);
    long start = System.nanoTime();
    Dataset<Row> gathered = TrainingSet.gather(features.table(), labels).cache();
    say(
        "training set",
        "%,d labels of %d days, with features as of the previous night, %.1f s",
        gathered.count(),
        days.size(),
        (System.nanoTime() - start) * 1e-9);
    boolean isSame = PlainSql.areSame(gathered, plain().trainingSet(labels));
    say("", "%s to the result of plain SQL", isSame ? "identical" : "DIFFERENT");
    return isSame;
  }

  private boolean areUsersRight() {
    Dataset<Row> expected = plain().users();
    // without the columns that hold the state of reductions
    Dataset<Row> table = spark.table(UserFeatures.NAME).selectExpr(expected.columns()).cache();
    boolean isSame = PlainSql.areSame(table, expected);
    say(
        "table",
        "%,d users, %s to the result of plain SQL",
        table.count(),
        isSame ? "identical" : "DIFFERENT");
    return isSame;
  }

  private PlainSql plain() {
    return new PlainSql(spark, events.all(spark));
  }

  private void maintain(UserFeatures features) {
    FeatureTable table = features.table();
    long last = table.batch(nights.get(nights.size() - 1).toString()).snapshot().getAsLong();
    table.iceberg().manageSnapshots().createTag(TAG, last).commit();
    String before = files(table);
    table.compact();
    table.expire(Retention.of(Duration.ZERO));
    say(
        "maintenance",
        "%s; before %s; %d snapshots left",
        files(table),
        before,
        spark.table(UserFeatures.NAME + ".snapshots").count());
  }

  private static String files(FeatureTable table) {
    table.iceberg().refresh();
    Map<String, String> total = table.iceberg().currentSnapshot().summary();
    return String.format(
        Locale.ROOT,
        "%s files, %s deletion vectors, %,d bytes",
        total.get(SnapshotSummary.TOTAL_DATA_FILES_PROP),
        total.get(SnapshotSummary.TOTAL_DELETE_FILES_PROP),
        Long.parseLong(total.get(SnapshotSummary.TOTAL_FILE_SIZE_PROP)));
  }
}
