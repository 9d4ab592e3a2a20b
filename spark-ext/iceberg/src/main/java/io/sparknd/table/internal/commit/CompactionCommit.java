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
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/** Describes compacted blocks: files replaced by others with the same rows. */
final class CompactionCommit {
  private CompactionCommit() {}

  /**
   * Returns the update of the table, as {@link SnapshotCommit} does.
   *
   * @param base the snapshot that was read
   */
  @SuppressWarnings("deprecation") // its replacement takes no deletion vectors to remove
  static SnapshotUpdate<?> update(
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
    return rewrite
        .validateFromSnapshot(Objects.requireNonNull(base))
        .set(SnapshotProperties.OPERATION, id.operation())
        .validateWith(new UnchangedTable(table, blocks, Optional.empty()));
  }
}
