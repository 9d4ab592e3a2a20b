/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.tensor.SparkNdException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The times of batches and evictions, in the summaries of their snapshots. A snapshot also names
 * the latest time of all that led to it, which stays known when the snapshots before it expire.
 */
public final class ValidTime {
  /** The first second whose times {@link #micros} can all express. */
  private static final Instant FIRST =
      instant(Long.MIN_VALUE).plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);

  /** Keys in the summary of a snapshot that adds or removes files. */
  private static final List<String> CHANGES =
      List.of(
          SnapshotSummary.ADDED_FILES_PROP,
          SnapshotSummary.DELETED_FILES_PROP,
          SnapshotSummary.ADDED_DELETE_FILES_PROP,
          SnapshotSummary.REMOVED_DELETE_FILES_PROP);

  private ValidTime() {}

  /**
   * Returns a time as microseconds since 1970, rounded up, so that no label before it is given the
   * batch.
   *
   * @throws io.sparknd.tensor.SparkNdException if that is no 64-bit number
   */
  public static long micros(Instant time) {
    try {
      long seconds = Math.multiplyExact(time.getEpochSecond(), 1_000_000L);
      return Math.addExact(seconds, (time.getNano() + 999) / 1000);
    } catch (ArithmeticException e) {
      throw FeatureErrors.timeOutOfRange(time);
    }
  }

  /**
   * Returns a time that a commit of now may declare; empty if it is in the future, or too early.
   */
  public static Optional<Instant> past(Instant time) {
    return time.isBefore(FIRST) || time.isAfter(Instant.now())
        ? Optional.empty()
        : Optional.of(time);
  }

  /**
   * Returns the summary entries of a batch or an eviction.
   *
   * @param base the snapshot that was read; null if there is none
   */
  public static Map<String, String> summary(Table table, @Nullable Long base, Instant time) {
    long latest = Math.max(declared(table, base).orElse(Long.MIN_VALUE), micros(time));
    return Map.of(
        SnapshotProperties.VALID_AT,
        time.toString(),
        SnapshotProperties.VALID_THROUGH,
        instant(latest).toString());
  }

  /**
   * Returns the summary entry of any commit, by which the latest time stays known.
   *
   * @param base the snapshot that was read; null if there is none
   */
  public static Map<String, String> carried(Table table, @Nullable Long base) {
    OptionalLong latest = declared(table, base);
    return latest.isPresent()
        ? Map.of(SnapshotProperties.VALID_THROUGH, instant(latest.getAsLong()).toString())
        : Map.of();
  }

  /** Returns a time of microseconds since 1970. */
  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Returns the latest time that a snapshot or one of those before it declares. */
  private static OptionalLong declared(Table table, @Nullable Long of) {
    Snapshot at = of == null ? null : table.snapshot(of);
    OptionalLong latest = OptionalLong.empty();
    while (at != null) {
      long before = latest.orElse(Long.MIN_VALUE);
      latest =
          Stream.of(
                  parse(at.summary().get(SnapshotProperties.VALID_THROUGH)),
                  recorded(table, at),
                  batch(table, at))
              .flatMap(Optional::stream)
              .reduce(Math::max)
              .map(declared -> OptionalLong.of(Math.max(declared, before)))
              .orElse(latest);
      at = at.parentId() == null ? null : table.snapshot(at.parentId());
    }
    return latest;
  }

  /** Returns the latest time of a snapshot that was recorded when others expired. */
  private static Optional<Long> recorded(Table table, Snapshot snapshot) {
    return parse(table.properties().get(TableProperties.EXPIRED_TIME + snapshot.snapshotId()));
  }

  /**
   * Returns the properties with the latest times of snapshots that lose their parent, or the
   * snapshot from which they were published, where batches have times.
   *
   * @param expiring ids of the snapshots that expire
   */
  public static Map<String, String> records(Table table, Set<Long> expiring) {
    Map<String, String> records = new TreeMap<>();
    for (Snapshot snapshot : table.snapshots()) {
      boolean isOfUse =
          !expiring.contains(snapshot.snapshotId())
              && loses(snapshot, expiring)
              && recorded(table, snapshot).isEmpty()
              && declared(table, snapshot.snapshotId()).isPresent();
      if (isOfUse) {
        long latest = latest(table, snapshot);
        records.put(
            TableProperties.EXPIRED_TIME + snapshot.snapshotId(), instant(latest).toString());
      }
    }
    return records;
  }

  private static boolean loses(Snapshot snapshot, Set<Long> expiring) {
    Long parent = snapshot.parentId();
    return parent != null && expiring.contains(parent)
        || source(snapshot).filter(expiring::contains).isPresent();
  }

  /** Returns the properties with times of snapshots that a table does not have any more. */
  public static Set<String> unusedRecords(Table table) {
    Set<String> unused = new TreeSet<>();
    for (String property : table.properties().keySet()) {
      if (property.startsWith(TableProperties.EXPIRED_TIME)
          && StreamSupport.stream(table.snapshots().spliterator(), false)
              .noneMatch(
                  snapshot ->
                      property.equals(TableProperties.EXPIRED_TIME + snapshot.snapshotId()))) {
        unused.add(property);
      }
    }
    return unused;
  }

  /** Returns the latest time of a snapshot, by all that led to it. */
  private static long latest(Table table, Snapshot snapshot) {
    Deque<Snapshot> ancestors = new ArrayDeque<>();
    SnapshotUtil.ancestorsOf(snapshot.snapshotId(), table::snapshot).forEach(ancestors::push);
    OptionalLong before = OptionalLong.empty();
    for (Snapshot each : ancestors) {
      before = OptionalLong.of(latest(table, each, before));
    }
    return before.getAsLong();
  }

  /**
   * Returns the latest time of a snapshot's batch and those before it, in microseconds. If those
   * before have expired, it is at least the commit time: writers that raced did not know of each
   * other's times.
   *
   * @param before that of the snapshot before; empty if there is none, or it has expired
   */
  static long latest(Table table, Snapshot snapshot, OptionalLong before) {
    Optional<Long> recorded = recorded(table, snapshot);
    if (recorded.isPresent()) {
      return Math.max(recorded.get(), before.orElse(Long.MIN_VALUE));
    }
    boolean lostItsParent = snapshot.parentId() != null && before.isEmpty();
    long latest =
        parse(snapshot.summary().get(SnapshotProperties.VALID_THROUGH)).orElse(Long.MIN_VALUE);
    latest = Math.max(latest, before.orElse(Long.MIN_VALUE));
    latest = Math.max(latest, own(table, snapshot));
    return lostItsParent ? Math.max(latest, committed(snapshot)) : latest;
  }

  /**
   * Returns the time of a snapshot's own changes. A compaction, or a change of the size, has none.
   */
  private static long own(Table table, Snapshot snapshot) {
    return batch(table, snapshot)
        .orElseGet(() -> changesNothing(snapshot) ? Long.MIN_VALUE : committed(snapshot));
  }

  /**
   * Returns the declared time of the batch of a snapshot, in microseconds; empty if it has none, or
   * the snapshot is not there.
   */
  public static OptionalLong ofBatch(Table table, long snapshot) {
    Snapshot found = table.snapshot(snapshot);
    return found == null
        ? OptionalLong.empty()
        : batch(table, found).map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /**
   * Checks that a time which the summary of a snapshot declares, as others may write it, is one.
   * Without that, the snapshot would count from its commit, and hide all batches of earlier times
   * that follow.
   *
   * @throws SparkNdException if it is none
   */
  static void requireReadable(Table table, Snapshot snapshot) {
    Optional<String> text = text(table, snapshot);
    if (text.isPresent() && parse(text.get()).isEmpty()) {
      throw FeatureErrors.unreadableValidAt(table.name(), snapshot.snapshotId(), text.get());
    }
  }

  private static Optional<Long> batch(Table table, Snapshot snapshot) {
    return text(table, snapshot).flatMap(ValidTime::parse);
  }

  /** Returns the declared time of a snapshot's batch, which was published without its summary. */
  private static Optional<String> text(Table table, Snapshot snapshot) {
    return Optional.ofNullable(snapshot.summary().get(SnapshotProperties.VALID_AT))
        .or(
            () ->
                source(snapshot)
                    .map(table::snapshot)
                    .map(from -> from.summary().get(SnapshotProperties.VALID_AT)));
  }

  /** Returns the snapshot from which one was published. */
  private static Optional<Long> source(Snapshot snapshot) {
    return Optional.ofNullable(snapshot.summary().get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP))
        .map(Long::parseLong);
  }

  private static boolean changesNothing(Snapshot snapshot) {
    return DataOperations.REPLACE.equals(snapshot.operation())
        || CHANGES.stream().noneMatch(snapshot.summary()::containsKey);
  }

  private static long committed(Snapshot snapshot) {
    return TimeUnit.MILLISECONDS.toMicros(snapshot.timestampMillis());
  }

  private static Optional<Long> parse(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(micros(Instant.parse(text)));
    } catch (DateTimeException | SparkNdException e) {
      return Optional.empty(); // others wrote it
    }
  }
}
