/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.CommitBackoff;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.UnusedMetadata;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.SparkNdException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.events.CreateSnapshotEvent;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work on the blocks of a table and commits it as one snapshot. If another commit wins the
 * race, only the blocks that it changed are processed again. If the work fails, the files that it
 * wrote are deleted.
 */
final class CommitLoop {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);
  private static final int MAX_ATTEMPTS = 200;

  private final StoredTable table;
  private final CommitTarget target;
  private final CommitId id;
  private final BlockFilePlan planning;
  private final BlockRewrite work;
  private final SnapshotCommit snapshots;
  private final Map<Long, BlockResult> done = new TreeMap<>();
  private final UnusedMetadata unused = new UnusedMetadata();
  private int attempts;
  private long snapshot = -1;
  private boolean mayBeCommitted;

  /**
   * How a commit is recognized.
   *
   * @param operation the value of {@link SnapshotProperties#OPERATION} in the snapshot's summary
   * @param batch the batch that the commit adds, once
   */
  record CommitId(String operation, Optional<String> batch) {
    /** Returns the snapshot that holds the batch, as {@link BatchIds#find} does. */
    OptionalLong replayed(StoredTable table, CommitTarget target) {
      return batch
          .map(id -> BatchIds.find(table.table(), target.head(table.table()), id))
          .orElse(OptionalLong.empty());
    }
  }

  /** How a loop ended. */
  enum LoopOutcome {
    COMMITTED,
    REPLAYED,
    NOTHING_TO_DO,
    /** The table has other columns or partitions than when it was opened: nothing was committed. */
    OUTDATED
  }

  /**
   * @param planning the lookup of the blocks' files, which has begun
   */
  CommitLoop(
      StoredTable table,
      CommitTarget target,
      CommitId id,
      BlockFilePlan planning,
      BlockRewrite work,
      SnapshotCommit snapshots) {
    this.table = table;
    this.target = target;
    this.id = id;
    this.planning = planning;
    this.work = work;
    this.snapshots = snapshots;
  }

  /** Returns the number of updates of all blocks. */
  long updates() {
    return done.values().stream().mapToLong(BlockResult::updates).sum();
  }

  /** Returns the number of updates of all blocks that came after their tile was evicted. */
  long late() {
    return done.values().stream().mapToLong(BlockResult::late).sum();
  }

  /** Returns the result of the commit. */
  TableCommit result(long updates, long dropped) {
    Collection<BlockResult> blocks = done.values();
    return new TableCommit(
        snapshot,
        target.wapId().isPresent() ? TableCommit.Outcome.STAGED : TableCommit.Outcome.COMMITTED,
        updates,
        dropped,
        blocks.stream().mapToLong(BlockResult::rows).sum(),
        blocks.size(),
        committedFiles(blocks).size(),
        blocks.stream().mapToLong(block -> block.replaced().size()).sum(),
        blocks.stream().mapToLong(BlockResult::bytes).sum(),
        attempts);
  }

  /**
   * Repeats the work until the commit succeeds.
   *
   * @param ifEmpty what to do if no block changes
   * @throws SparkNdException if the work fails, or every attempt loses a race
   */
  LoopOutcome run(IfEmpty ifEmpty) {
    try {
      return tryAll(ifEmpty);
    } finally {
      discard(mayBeCommitted ? committedFiles(done.values()) : Set.of());
      boolean isUnknown = mayBeCommitted && snapshot < 0;
      if (!isUnknown) {
        unused.delete(table.name(), table.table(), snapshot < 0 ? List.of() : List.of(snapshot));
      }
    }
  }

  /** What to do if no block changes. */
  enum IfEmpty {
    COMMIT,
    SKIP
  }

  private LoopOutcome tryAll(IfEmpty ifEmpty) {
    Map<Long, BlockFiles> read = null;
    while (attempts++ < MAX_ATTEMPTS) {
      if (isOutdated()) {
        return LoopOutcome.OUTDATED;
      }
      Long base = target.headId(table.table());
      try {
        read = read == null ? firstRun(base) : redoChanged(base, read);
      } catch (Exception e) { // Spark's jobs throw undeclared checked ones
        requireExpired(base, e);
        continue;
      }
      if (done.isEmpty() && ifEmpty == IfEmpty.SKIP) {
        return LoopOutcome.NOTHING_TO_DO;
      }
      mayBeCommitted =
          true; // assume committed until it is known to have failed; do not delete files
      try {
        snapshot = commit(base);
        return LoopOutcome.COMMITTED;
      } catch (SparkNdException e) { // of a check of the table that others changed
        return requireAlreadyCommitted(e);
      } catch (ValidationException
          | CommitFailedException
          | IllegalArgumentException // the snapshot has expired
          | NotFoundException e) { // its files are gone
        Optional<LoopOutcome> ended = afterLostRace(base, e);
        if (ended.isPresent()) {
          return ended.get();
        }
      } catch (RuntimeException e) {
        return requireCommitted(e);
      }
    }
    throw TableErrors.commitLost(table.name(), MAX_ATTEMPTS);
  }

  private long commit(@Nullable Long base) {
    SnapshotUpdate<?> update = snapshots.update(base, done.values());
    update.deleteWith(unused::add);
    update.commit();
    try {
      return ((CreateSnapshotEvent) update.updateEvent()).snapshotId();
    } catch (RuntimeException e) { // the table was renamed, for example
      RuntimeException unread =
          new IllegalStateException("the table could not be read after the commit");
      unread.addSuppressed(e); // no cause, by which the commit would count as rejected
      throw new CommitStateUnknownException(unread);
    }
  }

  private boolean isOutdated() {
    return table.hasOtherColumns() || table.hasOtherPartitions(target.head(table.table()));
  }

  /**
   * Returns if the snapshot expired while it was read, since its files may then be gone; otherwise
   * rethrows the failure.
   */
  private void requireExpired(@Nullable Long base, Exception failure) {
    if (failure instanceof InterruptedException) {
      throw SneakyThrow.thrown(failure); // another attempt would lose the interrupt
    }
    try {
      table.refresh();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      throw SneakyThrow.thrown(failure);
    }
    if (base == null || table.table().snapshot(base) != null) {
      throw SneakyThrow.thrown(failure);
    }
    LOG.atInfo()
        .addKeyValue("table_name", table.name())
        .addKeyValue("snapshot_id", base)
        .setCause(failure)
        .log("{}: snapshot {} expired while it was being read", table.name(), base);
  }

  /**
   * Handles a lost race.
   *
   * @return empty if the commit has to be tried again
   * @throws SparkNdException if there was no race: no other commit changed the tensor; or if the
   *     table is now too small
   */
  private Optional<LoopOutcome> afterLostRace(@Nullable Long base, RuntimeException lost) {
    SparkNdMetric.TABLE_LOST_RACES.add(1);
    LOG.atInfo()
        .addKeyValue("table_name", table.name())
        .addKeyValue("attempt", attempts)
        .log(
            "{}: commit attempt {} conflicted with another commit: {}",
            table.name(),
            attempts,
            lost.getMessage());
    pause();
    if (mayBeCommitted) {
      return Optional.of(LoopOutcome.COMMITTED);
    }
    if (id.replayed(table, target).isPresent()) {
      return Optional.of(LoopOutcome.REPLAYED);
    }
    ShrunkAxis.requireWithin(table, done.values());
    // on CommitFailedException others may have changed only properties
    if (Objects.equals(base, target.headId(table.table()))
        && !(lost instanceof CommitFailedException)
        && !isOutdated()) {
      throw TableErrors.commitRejected(table.name(), lost);
    }
    return Optional.empty();
  }

  /**
   * Waits before the next attempt, and finds out whether the last one took effect, also if the
   * thread is interrupted: what it conflicted with may be itself, since a client that had no answer
   * sends a commit again.
   */
  private void pause() {
    try {
      CommitBackoff.pause(attempts);
    } catch (Exception e) {
      refreshAfter(e);
      throw e;
    }
    refreshCommitted();
  }

  private void refreshCommitted() {
    table.refresh();
    mayBeCommitted = isCommitted();
  }

  /** Without an answer of the catalog, the commit may have been made. */
  private void refreshAfter(Exception interrupt) {
    try {
      refreshCommitted();
    } catch (RuntimeException e) {
      interrupt.addSuppressed(e);
    }
  }

  /** Returns whether the table has this commit. */
  private boolean isCommitted() {
    for (Snapshot known : target.committed(table.table())) {
      if (id.operation().equals(known.summary().get(SnapshotProperties.OPERATION))) {
        snapshot = known.snapshotId();
        return true;
      }
    }
    return false;
  }

  /**
   * Finds out whether a commit that failed with an unexpected error took effect. If that is
   * unknown, the files are not deleted, as the commit may have succeeded.
   *
   * @throws RuntimeException if it did not take effect, or that is unknown
   */
  private LoopOutcome requireCommitted(RuntimeException failure) {
    if (failure instanceof CleanableFailure) {
      mayBeCommitted = false;
      throw TableErrors.commitRejected(table.name(), failure);
    }
    try {
      table.refresh();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      throw CatalogFailures.isRejectedBySqlite(failure)
          ? TableErrors.commitFailed(table.name(), failure)
          : TableErrors.commitUnknown(table.name(), failure);
    }
    if (isCommitted()) {
      return LoopOutcome.COMMITTED;
    }
    // the failure was a file write here, not the catalog's commit
    mayBeCommitted =
        !(failure instanceof RuntimeIOException || failure instanceof UncheckedIOException);
    throw mayBeCommitted && !CatalogFailures.isRejectedBySqlite(failure)
        ? TableErrors.commitUnknown(table.name(), failure)
        : TableErrors.commitFailed(table.name(), failure);
  }

  /**
   * Finds out whether a commit that was refused here is one that a client sent twice.
   *
   * @throws SparkNdException if it is not
   */
  private LoopOutcome requireAlreadyCommitted(SparkNdException refusal) {
    try {
      table.refresh();
    } catch (RuntimeException e) {
      refusal.addSuppressed(e);
      throw refusal;
    }
    if (isCommitted()) {
      return LoopOutcome.COMMITTED;
    }
    mayBeCommitted = false;
    throw refusal;
  }

  private Map<Long, BlockFiles> firstRun(@Nullable Long base) {
    Map<Long, BlockFiles> files = planning.isAt(base) ? planning.files() : table.files(base);
    record(work.run(base, files, null));
    return files;
  }

  private Map<Long, BlockFiles> redoChanged(@Nullable Long base, Map<Long, BlockFiles> before) {
    Map<Long, BlockFiles> now = table.files(base, done.keySet());
    Set<Long> changed =
        done.keySet().stream()
            .filter(block -> !files(block, before).isSameAs(files(block, now)))
            .collect(Collectors.toSet());
    if (!changed.isEmpty()) {
      work.requireUnchanged(changed, before, now);
      List<BlockResult> results = work.run(base, now, changed);
      done.keySet().removeAll(changed);
      record(results);
      SparkNdMetric.TABLE_BLOCKS_REDONE.add(changed.size());
    }
    return now;
  }

  private void record(List<BlockResult> results) {
    results.forEach(result -> done.put(result.block(), result));
  }

  private static BlockFiles files(long block, Map<Long, BlockFiles> files) {
    return files.getOrDefault(block, BlockFiles.none(block));
  }

  /** Returns the locations of the files that the results add to the table. */
  private static Set<String> committedFiles(Collection<BlockResult> results) {
    Set<String> files = new HashSet<>();
    for (BlockResult block : results) {
      block.added().forEach(file -> files.add(file.location()));
      block.vectors().forEach(file -> files.add(file.location()));
    }
    return files;
  }

  private void discard(Set<String> committed) {
    for (String location : work.written()) {
      if (!committed.contains(location)) {
        UnusedMetadata.delete(table.name(), table.table(), location);
      }
    }
  }
}
