/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.TableCommit;
import io.sparknd.table.TableErrors;
import io.sparknd.table.block.BlockResult;
import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.CatalogFailures;
import io.sparknd.table.store.CommitTarget;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.SparkNdException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.exceptions.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work on the blocks of a table, committed as one. Where another commit was faster, what it changed
 * is done again on what it left, and nothing else; where the work fails, the files that it wrote
 * are deleted.
 */
final class CommitLoop {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);
  private static final int MOST_ATTEMPTS = 200;

  /** Of a snapshot: which commit made it. */
  static final String OPERATION = "sparknd.operation";

  private final StoredTensor tensor;
  private final CommitTarget target;
  private final Work work;
  private final Long first;
  private final BlockFilePlan planning;
  private final Map<Long, BlockResult> done = new TreeMap<>();
  private int attempts;
  private long snapshot = -1;
  private boolean isKept;

  /** What is done to blocks. */
  interface Work {
    /**
     * Writes new files for blocks.
     *
     * @param files that blocks have now
     * @param only the blocks to do; null for all that there is something to do for
     */
    List<BlockResult> run(Map<Long, BlockFiles> files, Set<Long> only);

    /** All files that were written, in every run. */
    List<String> written();

    /**
     * Another commit changed blocks that are done.
     *
     * @param before files that they had
     * @param now files that they have
     */
    void changed(Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now);

    /**
     * Commits.
     *
     * @param base the snapshot that was read; null for a table without one
     * @return the new snapshot
     * @throws ValidationException if another commit was faster
     */
    long commit(Long base, Collection<BlockResult> blocks);

    /** What the summary of the new snapshot has as {@link #OPERATION}. */
    String operation();

    /** Whether the table holds already what was to be committed. */
    boolean isReplayed();
  }

  /** How a loop ended. */
  enum End {
    COMMITTED,
    REPLAYED,
    NOTHING_TO_DO
  }

  /** Begins to look up which files the blocks have. */
  CommitLoop(StoredTensor tensor, CommitTarget target, Work work) {
    this.tensor = tensor;
    this.target = target;
    this.work = work;
    this.first = current();
    this.planning = BlockFilePlan.begin(tensor, first);
  }

  /** What the commit did. */
  TableCommit committed(long updates, long dropped) {
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
   * Works until the commit holds.
   *
   * @param ifNothing what to do if no block changes
   * @throws SparkNdException if the work is refused, or others are always faster
   */
  End run(Nothing ifNothing) {
    try {
      return tryAll(ifNothing);
    } finally {
      discard(isKept ? committedFiles(done.values()) : Set.of());
    }
  }

  /** What to do where no block changes. */
  enum Nothing {
    COMMIT,
    SKIP
  }

  private End tryAll(Nothing ifNothing) {
    Map<Long, BlockFiles> read = null;
    while (attempts++ < MOST_ATTEMPTS) {
      Long base = current();
      try {
        read = read == null ? first(base) : again(base, read);
      } catch (RuntimeException e) {
        requireExpired(base, e);
        continue;
      }
      if (done.isEmpty() && ifNothing == Nothing.SKIP) {
        return End.NOTHING_TO_DO;
      }
      isKept = true; // for all that is known from here on, until it is known to have failed
      try {
        snapshot = work.commit(base, done.values());
        return End.COMMITTED;
      } catch (ValidationException
          | CommitFailedException
          | IllegalArgumentException // of a snapshot that has expired
          | NotFoundException e) { // of its files
        isKept = false;
        if (isReplayed(base, e)) {
          return End.REPLAYED;
        }
      } catch (RuntimeException e) {
        return requireCommitted(e);
      }
    }
    throw TableErrors.commitLost(tensor.name(), MOST_ATTEMPTS);
  }

  /** Where a snapshot has expired while it was read, its files may be gone: not an error then. */
  private void requireExpired(Long base, RuntimeException failure) {
    try {
      tensor.refresh();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    if (base == null || tensor.table().snapshot(base) != null) {
      throw failure;
    }
    LOG.atInfo()
        .addKeyValue("table_name", tensor.name())
        .addKeyValue("snapshot_id", base)
        .setCause(failure)
        .log("{}: snapshot {} expired while it was read", tensor.name(), base);
  }

  /**
   * After a lost race: whether another commit of the same batch has won it.
   *
   * @throws SparkNdException if it was no race: nobody else has changed the tensor
   */
  private boolean isReplayed(Long base, RuntimeException lost) {
    SparkNdMetric.TABLE_LOST_RACES.add(1);
    LOG.atInfo()
        .addKeyValue("table_name", tensor.name())
        .addKeyValue("attempt", attempts)
        .log("{}: commit {} lost a race: {}", tensor.name(), attempts, lost.getMessage());
    CommitBackoff.pause(attempts);
    tensor.refresh();
    if (work.isReplayed()) {
      return true;
    }
    // where a commit fails without any check, others may have changed properties
    if (Objects.equals(base, current()) && !(lost instanceof CommitFailedException)) {
      throw TableErrors.commitRefused(tensor.name(), lost);
    }
    return false;
  }

  /**
   * After a commit that failed in the middle: finds out whether it holds. Its files stay where that
   * cannot be told, as it may hold yet.
   *
   * @throws RuntimeException if it does not hold, or that cannot be told
   */
  private End requireCommitted(RuntimeException failure) {
    if (failure instanceof CleanableFailure) {
      isKept = false;
      throw TableErrors.commitRefused(tensor.name(), failure);
    }
    try {
      tensor.refresh();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      throw CatalogFailures.isRefusedBySqlite(failure)
          ? TableErrors.commitFailed(tensor.name(), failure)
          : TableErrors.commitUnknown(tensor.name(), failure);
    }
    for (Snapshot known : target.committed(tensor.table())) {
      if (work.operation().equals(known.summary().get(OPERATION))) {
        snapshot = known.snapshotId();
        return End.COMMITTED;
      }
    }
    // a file that could not be written failed here, not in the catalog
    isKept = !(failure instanceof RuntimeIOException || failure instanceof UncheckedIOException);
    throw isKept && !CatalogFailures.isRefusedBySqlite(failure)
        ? TableErrors.commitUnknown(tensor.name(), failure)
        : TableErrors.commitFailed(tensor.name(), failure);
  }

  private Map<Long, BlockFiles> first(Long base) {
    Map<Long, BlockFiles> files =
        Objects.equals(base, first) ? planning.files() : tensor.files(base);
    keep(work.run(files, null));
    return files;
  }

  private Map<Long, BlockFiles> again(Long base, Map<Long, BlockFiles> before) {
    Map<Long, BlockFiles> now = tensor.files(base, tensor.spanning(done.keySet()));
    Set<Long> changed =
        done.keySet().stream()
            .filter(block -> !files(block, before).isSameAs(files(block, now)))
            .collect(Collectors.toSet());
    if (!changed.isEmpty()) {
      work.changed(changed, before, now);
      List<BlockResult> results = work.run(now, changed);
      done.keySet().removeAll(changed);
      keep(results);
      SparkNdMetric.TABLE_BLOCKS_REDONE.add(changed.size());
    }
    return now;
  }

  private void keep(List<BlockResult> results) {
    results.forEach(result -> done.put(result.block(), result));
  }

  private static BlockFiles files(long block, Map<Long, BlockFiles> files) {
    return files.getOrDefault(block, BlockFiles.none(block));
  }

  private Long current() {
    Snapshot head = target.head(tensor.table());
    return head == null ? null : head.snapshotId();
  }

  /** The files that the results add to the table. */
  private static Set<String> committedFiles(Collection<BlockResult> results) {
    Set<String> files = new HashSet<>();
    for (BlockResult block : results) {
      block.added().forEach(file -> files.add(file.location()));
      block.vectors().forEach(file -> files.add(file.location()));
    }
    return files;
  }

  private void discard(Set<String> kept) {
    for (String location : work.written()) {
      if (!kept.contains(location)) {
        try {
          tensor.table().io().deleteFile(location);
        } catch (RuntimeException e) {
          LOG.atWarn()
              .addKeyValue("table_name", tensor.name())
              .addKeyValue("path", location)
              .setCause(e)
              .log("{} could not be deleted; removeOrphans() will", location);
        }
      }
    }
  }
}
