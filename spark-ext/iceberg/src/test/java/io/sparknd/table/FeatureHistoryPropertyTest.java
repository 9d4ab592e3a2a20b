/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Snapshot;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Tests gathers as of the times of labels against a model that replays all events: batches in and
 * out of the order of their times, compactions into more buckets, evictions, rollbacks and
 * expiries.
 */
@Tag("slow")
class FeatureHistoryPropertyTest {
  private static final int TRIES = 4;
  private static final int STEPS = 12;
  private static final int LABELS = 60;
  private static final StructType EVENTS =
      new StructType().add("user", "string").add("n", "bigint").add("v", "array<float>");
  private static final StructType ASKED =
      new StructType().add("label", "int").add("user", "string").add("at", "timestamp");

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void historyIsWhatTheModelReplays(@ForAll long seed) {
    new History(seed).run();
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void evictionsMayDeclareTheirTimes(@ForAll long seed) {
    History history = new History(seed);
    history.timesOfEvictions = Optional.of(new Random(~seed));
    history.run();
  }

  /** DELETE is Iceberg's own commit, which does not say that a batch before it is of 2126. */
  @Example
  void aTimeInTheFutureIsForgottenWithTheSnapshotsThatNameIt() {
    new History(-245).run();
  }

  /** A first commit that changes nothing has no time, also after an expiry that expires nothing. */
  @Example
  void anExpiryOfNothingGivesNoTime() {
    new History(1012).run();
  }

  /**
   * A state that the table had.
   *
   * @param valid the latest valid time of its batches, in microseconds
   * @param rows values by user
   */
  private record State(long valid, Map<String, String> rows) {}

  private static final class History {
    private final Random random;
    private final SparkSession spark = TestTables.spark();
    private final StringBuilder log = new StringBuilder();
    private final FeatureTable table;
    private final Map<Long, State> states = new HashMap<>();

    /**
     * The time from which the first snapshot of the chain counts, by valid time, at the earliest.
     */
    private long from = Long.MIN_VALUE;

    /** Snapshots of batches with declared times. */
    private final Set<Long> declared = new HashSet<>();

    /** Whether a batch before the chain had one. */
    private boolean isDeclaredBefore;

    /** Draws the times of evictions; empty if they count from their commits. */
    private Optional<Random> timesOfEvictions = Optional.empty();

    private final List<Long> chain = new ArrayList<>();

    History(long seed) {
      random = new Random(seed);
      log.append("seed ").append(seed);
      FeatureTableSpec spec =
          FeatureTableSpec.keyedBy("user", "string")
              .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()).withFill(0))
              .with(Variable.of("v", DType.FLOAT32, 2))
              .withBuckets(1 + random.nextInt(4));
      if (random.nextInt(3) == 0) {
        spec = spec.withProperty("write.merge.mode", "copy-on-write");
      }
      if (random.nextBoolean()) {
        spec = spec.withProperty("sparknd.rows-per-bucket", "2");
      }
      if (random.nextBoolean()) {
        spec = spec.withProperty("commit.manifest.min-count-to-merge", "2");
      }
      table = FeatureTable.create(spark, TestTables.name(), spec);
    }

    void run() {
      check();
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      check();
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0 -> compact();
        case 1 -> evict();
        case 2 -> rollBack();
        case 3 -> expire();
        case 4 -> delete();
        default -> commit();
      }
      if (random.nextInt(3) == 0) {
        check();
      }
    }

    private String user() {
      return "u" + random.nextInt(20);
    }

    private State current() {
      return chain.isEmpty()
          ? new State(Long.MIN_VALUE, Map.of())
          : states.get(chain.get(chain.size() - 1));
    }

    private static String values(long n, List<Float> v) {
      return n + " " + v;
    }

    /** Records the state after a step, which added one snapshot or several of the same values. */
    private void record(Map<String, String> rows, Instant validAt) {
      table.iceberg().refresh();
      List<Snapshot> added = new ArrayList<>();
      Snapshot snapshot = table.iceberg().currentSnapshot();
      while (snapshot != null && !states.containsKey(snapshot.snapshotId())) {
        added.add(0, snapshot);
        Long parent = snapshot.parentId();
        snapshot = parent == null ? null : table.iceberg().snapshot(parent);
      }
      for (Snapshot each : added) {
        long own = each.timestampMillis() * 1000;
        if (validAt != null) {
          declared.add(each.snapshotId());
          own = ChronoUnit.MICROS.between(Instant.EPOCH, validAt);
        } else if (each.operation().equals("replace")
            || each.summary().keySet().stream()
                .noneMatch(key -> key.matches("(added|removed)-files-size"))) {
          own = Long.MIN_VALUE;
        }
        states.put(each.snapshotId(), new State(Math.max(own, current().valid()), rows));
        chain.add(each.snapshotId());
      }
    }

    private static Instant day(Random from) {
      Instant begin =
          Instant.parse(from.nextInt(8) == 0 ? "2126-01-01T00:00:00Z" : "2026-01-01T00:00:00Z");
      return begin.plus(Duration.ofDays(from.nextInt(30)));
    }

    private void commit() {
      Instant day = day(random);
      boolean declares = random.nextInt(8) > 0;
      List<Row> events = new ArrayList<>();
      Map<String, String> rows = new TreeMap<>(current().rows());
      Map<String, Long> sums = new HashMap<>();
      rows.forEach((user, values) -> sums.put(user, Long.parseLong(values.split(" ")[0])));
      for (int i = 1 + random.nextInt(12); i > 0; i--) {
        String user = user();
        long n = random.nextInt(100);
        List<Float> v = List.of((float) random.nextInt(9), (float) random.nextInt(9));
        sums.merge(user, n, Long::sum);
        rows.put(user, values(sums.get(user), v));
        events.add(
            RowFactory.create(user, n, scala.jdk.javaapi.CollectionConverters.asScala(v).toSeq()));
      }
      log.append("\ncommit ").append(declares ? day : "now").append(' ').append(events.size());
      FeatureWrite write = table.write().scatter(spark.createDataFrame(events, EVENTS).coalesce(1));
      (declares ? write.validAt(day) : write).commit();
      record(rows, declares ? day : null);
    }

    private void compact() {
      log.append("\ncompact");
      table.compact();
      record(current().rows(), null);
    }

    private void evict() {
      String user = user();
      Instant day = timesOfEvictions.filter(Random::nextBoolean).map(History::day).orElse(null);
      log.append("\nevict ").append(user).append(' ').append(day);
      EvictionWrite eviction = table.eviction();
      (day == null ? eviction : eviction.validAt(day))
          .evict("user <= '" + user + "' AND n % 2 = 0");
      Map<String, String> rows = new TreeMap<>(current().rows());
      rows.entrySet()
          .removeIf(
              row ->
                  row.getKey().compareTo(user) <= 0
                      && Long.parseLong(row.getValue().split(" ")[0]) % 2 == 0);
      record(rows, day);
    }

    private void delete() {
      String user = user();
      log.append("\ndelete ").append(user);
      spark.sql("DELETE FROM " + table.name() + " WHERE user = '" + user + "'");
      Map<String, String> rows = new TreeMap<>(current().rows());
      rows.remove(user);
      record(rows, null);
    }

    private void rollBack() {
      if (chain.size() < 2) {
        return;
      }
      int to = random.nextInt(chain.size());
      log.append("\nroll back to ").append(to);
      table.iceberg().refresh();
      table.iceberg().manageSnapshots().setCurrentSnapshot(chain.get(to)).commit();
      chain.subList(to + 1, chain.size()).clear();
    }

    private void expire() {
      if (chain.isEmpty() || random.nextBoolean()) {
        return;
      }
      log.append("\nexpire");
      long latest = chain.stream().mapToLong(id -> states.get(id).valid()).reduce(from, Math::max);
      table.expire(Retention.of(Duration.ZERO));
      boolean losesItsParent = chain.size() > 1;
      List<Long> before = List.copyOf(chain.subList(0, chain.size() - 1));
      chain.subList(0, chain.size() - 1).clear();
      if (losesItsParent) {
        isDeclaredBefore |= before.stream().anyMatch(declared::contains);
        // without batches of declared times, all are of their commits
        from =
            isDeclaredBefore || declared.contains(chain.get(0))
                ? latest
                : table.iceberg().snapshot(chain.get(0)).timestampMillis() * 1000;
      }
    }

    private void check() {
      table.iceberg().refresh();
      List<HistoryEntry> entries = table.iceberg().history();
      TreeMap<Long, State> commits = new TreeMap<>();
      entries.forEach(
          entry -> commits.put(entry.timestampMillis() * 1000, states.get(entry.snapshotId())));
      TreeMap<Long, State> valid = new TreeMap<>();
      boolean isValidExpired = !chain.isEmpty() && parent(chain.get(0)) != null;
      long latest = from;
      for (long id : chain) {
        latest = Math.max(latest, states.get(id).valid());
        valid.put(latest, states.get(id));
      }
      checkChanges(entries);
      check(AsOf.commitTime("at"), commits, !entries.isEmpty() && !isFirst(entries.get(0)));
      check(AsOf.validTime("at"), valid, isValidExpired);
    }

    /** Compares two states of the log, of which one may have been rolled back. */
    private void checkChanges(List<HistoryEntry> entries) {
      if (entries.isEmpty()) {
        return;
      }
      long before = entries.get(random.nextInt(entries.size())).snapshotId();
      long after = entries.get(random.nextInt(entries.size())).snapshotId();
      Map<String, String> expected = new TreeMap<>();
      Map<String, String> then = states.get(before).rows();
      Map<String, String> now = states.get(after).rows();
      then.keySet().stream()
          .filter(user -> !now.containsKey(user))
          .forEach(user -> expected.put(user, "DELETE null null"));
      now.forEach(
          (user, values) -> {
            String old = then.get(user);
            if (!values.equals(old)) {
              expected.put(user, (old == null ? "INSERT " : "UPDATE_AFTER ") + values);
            }
          });
      Map<String, String> found = new TreeMap<>();
      for (Row row : table.snapshot(after).changesSince(table.snapshot(before)).collectAsList()) {
        String values = row.get(1) + " " + (row.isNullAt(2) ? null : row.getList(2));
        assertThat(found.put(row.getString(0), row.getString(3) + " " + values)).isNull();
      }
      assertThat(found).as(log + " from " + before + " to " + after).isEqualTo(expected);
    }

    private Long parent(long id) {
      return table.iceberg().snapshot(id).parentId();
    }

    private boolean isFirst(HistoryEntry entry) {
      return parent(entry.snapshotId()) == null
          && table.iceberg().snapshot(entry.snapshotId()).timestampMillis()
              == entry.timestampMillis();
    }

    private void check(AsOf asOf, NavigableMap<Long, State> timeline, boolean isExpired) {
      List<Row> asked = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      boolean isAnyExpired = false;
      for (int i = 0; i < LABELS; i++) {
        String user = user();
        long at = time(timeline);
        asked.add(RowFactory.create(i, user, timestamp(at)));
        Map.Entry<Long, State> then = timeline.floorEntry(at);
        boolean isLost = then == null && isExpired;
        isAnyExpired |= isLost;
        expected.add(
            isLost
                ? "null null"
                : then == null ? "0 null" : then.getValue().rows().getOrDefault(user, "0 null"));
      }
      Dataset<Row> labels = spark.createDataFrame(asked, ASKED).repartition(1 + random.nextInt(3));
      if (isAnyExpired) {
        assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("user"), asOf))
            .as(log.toString())
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("have expired");
      }
      List<String> found = new ArrayList<>(Collections.nCopies(LABELS, null));
      for (Row row :
          table.gatherAsOf(labels, List.of("user"), asOf.orNullIfExpired()).collectAsList()) {
        String values = row.get(3) + " " + (row.isNullAt(4) ? null : row.getList(4));
        assertThat(found.set(row.getInt(0), values)).as("label %d twice", row.getInt(0)).isNull();
      }
      assertThat(found).as(log.toString() + " " + asOf).isEqualTo(expected);
    }

    /** Returns a time at, shortly before or long after a change of the table. */
    private long time(NavigableMap<Long, State> timeline) {
      List<Long> times = new ArrayList<>(timeline.keySet());
      times.remove(Long.MIN_VALUE); // of a first commit without changes, no time of SQL
      times.add(0L);
      long time = times.get(random.nextInt(times.size()));
      return switch (random.nextInt(4)) {
        case 0 -> time - 1;
        case 1 -> time + Duration.ofHours(random.nextInt(48)).toMillis() * 1000;
        default -> time;
      };
    }

    private static Timestamp timestamp(long micros) {
      return Timestamp.from(ChronoUnit.MICROS.addTo(Instant.EPOCH, micros));
    }
  }
}
