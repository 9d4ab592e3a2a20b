/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.tensor.SparkNdException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * The times of batches, in the summaries of their snapshots. A snapshot also names the latest time
 * of all batches that it holds, which stays known when the snapshots before it expire.
 */
public final class ValidTime {
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
   * Returns the summary entries of a batch.
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
      Optional<Long> declared = parse(at.summary().get(SnapshotProperties.VALID_THROUGH));
      if (declared.isPresent()) {
        latest = OptionalLong.of(Math.max(declared.get(), latest.orElse(Long.MIN_VALUE)));
      }
      at = at.parentId() == null ? null : table.snapshot(at.parentId());
    }
    return latest;
  }

  /**
   * Returns the latest time of a snapshot's batch and those before it, in microseconds. If those
   * before have expired, it is at least the commit time: writers that raced did not know of each
   * other's times.
   *
   * @param before that of the snapshot before; empty if there is none, or it has expired
   */
  static long latest(Table table, Snapshot snapshot, OptionalLong before) {
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
    Optional<Long> declared = parse(snapshot.summary().get(SnapshotProperties.VALID_AT));
    String source = snapshot.summary().get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP);
    if (declared.isEmpty() && source != null) { // published from elsewhere, without its summary
      Snapshot from = table.snapshot(Long.parseLong(source));
      declared = from == null ? declared : parse(from.summary().get(SnapshotProperties.VALID_AT));
    }
    return declared.orElseGet(
        () -> changesNothing(snapshot) ? Long.MIN_VALUE : committed(snapshot));
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
      return Optional.empty(); // not ours
    }
  }
}
