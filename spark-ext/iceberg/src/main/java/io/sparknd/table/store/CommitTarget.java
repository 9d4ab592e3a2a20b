/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import io.sparknd.table.TableErrors;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Where the commits of one call go.
 *
 * @param table its name, for messages
 * @param branch main included
 * @param isNamed whether the caller named the branch, so that no commit may make it
 * @param wapId of commits that are staged: no branch has them until somebody publishes them
 */
public record CommitTarget(String table, String branch, boolean isNamed, Optional<String> wapId) {
  /** Of a snapshot: the id by which Iceberg publishes it. */
  private static final String STAGED_ID = "wap.id";

  /**
   * The snapshot that the next commit comes after; null for a table without one.
   *
   * @throws io.sparknd.tensor.SparkNdException if a branch that the caller named is gone
   */
  public Snapshot head(Table of) {
    SnapshotRef ref = of.refs().get(branch);
    if (ref == null && isNamed && !branch.equals(SnapshotRef.MAIN_BRANCH)) {
      throw TableErrors.noSuchBranch(table, branch, new TreeSet<>(of.refs().keySet()));
    }
    return ref == null ? of.currentSnapshot() : of.snapshot(ref.snapshotId());
  }

  /** The snapshots that the branch consists of, the last one first. */
  public Iterable<Snapshot> ancestors(Table of) {
    Snapshot head = head(of);
    return head == null ? List.of() : SnapshotUtil.ancestorsOf(head.snapshotId(), of::snapshot);
  }

  /** The snapshots among which a commit is that has succeeded. */
  public Iterable<Snapshot> committed(Table of) {
    return wapId.isPresent() ? of.snapshots() : ancestors(of);
  }

  /** Makes {@code update} one of this target. */
  public void aim(SnapshotUpdate<?> update) {
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
