/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.events.CreateSnapshotEvent;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/** Commits compacted blocks: files replaced by others with the same rows. */
final class CompactionCommit {
  private CompactionCommit() {}

  /**
   * Commits the blocks.
   *
   * @param base the snapshot that was read
   * @return the new snapshot
   * @throws org.apache.iceberg.exceptions.ValidationException if another commit won the race
   */
  @SuppressWarnings("deprecation") // its replacement takes no deletion vectors to remove
  static long commit(
      StoredTable table,
      CommitTarget target,
      CommitLoop.CommitId id,
      @Nullable Long base,
      Collection<BlockResult> blocks) {
    Set<DataFile> replaced = new HashSet<>();
    Set<DeleteFile> replacedDeletes = new HashSet<>();
    Set<DataFile> added = new HashSet<>();
    for (BlockResult block : blocks) {
      added.addAll(block.added());
      for (StoredFile file : block.replaced()) {
        replaced.add(file.data());
        file.deletes().stream().filter(ContentFileUtil::isDV).forEach(replacedDeletes::add);
      }
    }
    RewriteFiles rewrite =
        table.table().newRewrite().rewriteFiles(replaced, replacedDeletes, added, Set.of());
    target.applyTo(rewrite);
    ManifestThreads.choose(rewrite, table, base, blocks);
    BatchIds.summary(table.table(), base).forEach(rewrite::set);
    rewrite
        .validateFromSnapshot(Objects.requireNonNull(base))
        .set(SnapshotProperties.OPERATION, id.operation())
        .commit();
    return ((CreateSnapshotEvent) rewrite.updateEvent()).snapshotId();
  }
}
