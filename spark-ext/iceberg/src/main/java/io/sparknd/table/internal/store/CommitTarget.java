/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The target of a call's commits: a branch, or staging.
 *
 * @param table the table's name, for messages
 * @param branch the branch, which may be main
 * @param isNamed whether the caller named the branch; if so, no commit may create it
 * @param wapId id of staged commits, which are on no branch until they are published
 * @param given entries that the caller adds to the summaries of snapshots
 */
public record CommitTarget(
    String table,
    String branch,
    boolean isNamed,
    Optional<String> wapId,
    Map<String, String> given) {
  /** Key in a snapshot's summary: the id by which Iceberg publishes it. */
  private static final String STAGED_ID = "wap.id";

  /**
   * Returns the snapshot that the next commit follows; null for a table without one.
   *
   * @throws io.sparknd.tensor.SparkNdException if a branch that the caller named no longer exists
   */
  public @Nullable Snapshot head(Table of) {
    SnapshotRef ref = of.refs().get(branch);
    if (ref == null && isNamed && !branch.equals(SnapshotRef.MAIN_BRANCH)) {
      throw TableErrors.noSuchBranch(table, branch, new TreeSet<>(of.refs().keySet()));
    }
    return ref == null ? of.currentSnapshot() : of.snapshot(ref.snapshotId());
  }

  /** Returns whether commits are in the table at once, and not only when they are published. */
  public boolean isMain() {
    return branch.equals(SnapshotRef.MAIN_BRANCH) && wapId.isEmpty();
  }

  /** Returns the id of {@link #head}; null for a table without a snapshot. */
  public @Nullable Long headId(Table of) {
    Snapshot head = head(of);
    return head == null ? null : head.snapshotId();
  }

  /** Returns the snapshots of the branch, latest first. */
  public Iterable<Snapshot> ancestors(Table of) {
    Snapshot head = head(of);
    return head == null ? List.of() : SnapshotUtil.ancestorsOf(head.snapshotId(), of::snapshot);
  }

  /** Returns the snapshots that include a successful commit to this target. */
  public Iterable<Snapshot> committed(Table of) {
    return wapId.isPresent() ? of.snapshots() : ancestors(of);
  }

  /**
   * Directs {@code update} to this target. Call it before SparkND's own entries are set, which
   * override those that the caller gives.
   */
  public void applyTo(SnapshotUpdate<?> update) {
    given.forEach(update::set);
    wapId.ifPresent(
        id -> {
          update.set(STAGED_ID, id);
          update.stageOnly();
        });
    if (!branch.equals(SnapshotRef.MAIN_BRANCH)) {
      update.toBranch(branch);
    }
  }
}
