/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.feature.BucketSpecs;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/**
 * A scatter's changes as one atomic commit. It fails if a file was added to or removed from the
 * range of touched blocks since the snapshot that was read.
 *
 * @param base the snapshot that was read; null for a table without one
 * @param summary entries for the summary of the new snapshot
 */
record BlockDelta(
    StoredTable table,
    CommitTarget target,
    @Nullable Long base,
    Collection<BlockResult> blocks,
    Map<String, String> summary,
    Optional<String> batchId) {

  /** Returns the update of the table, as {@link SnapshotCommit} does. */
  SnapshotUpdate<?> update() {
    SnapshotUpdate<?> update = !target.isMain() && addsOnly() ? rowsToPublish() : delta();
    target.applyTo(update);
    ManifestThreads.choose(update, table, base, blocks);
    summary.forEach(update::set);
    update.validateWith(new UnchangedTable(table, blocks, batchId));
    return update;
  }

  private RowDelta delta() {
    RowDelta delta = table.table().newRowDelta();
    blocks.forEach(block -> add(block, delta));
    if (base != null) {
      delta.validateFromSnapshot(base);
    }
    return delta
        .conflictDetectionFilter(touched())
        .validateNoConflictingDataFiles()
        .validateNoConflictingDeleteFiles()
        .validateDataFilesExist(referenced())
        .validateDeletedFiles();
  }

  private boolean addsOnly() {
    return blocks.stream()
        .allMatch(
            block ->
                block.vectors().isEmpty()
                    && block.replacedVectors().isEmpty()
                    && block.replaced().isEmpty());
  }

  /**
   * Returns new rows as an overwrite, of no rows. Iceberg publishes an append, staged or of a
   * branch, after any commit, so that rows and batches would be in the table twice; an overwrite is
   * published only onto the snapshot that it builds on.
   */
  private OverwriteFiles rowsToPublish() {
    OverwriteFiles overwrite = table.table().newOverwrite();
    blocks.forEach(block -> block.added().forEach(overwrite::addFile));
    if (base != null) {
      overwrite.validateFromSnapshot(base);
    }
    return overwrite
        .overwriteByRowFilter(noRows())
        .conflictDetectionFilter(touched())
        .validateNoConflictingData()
        .validateNoConflictingDeletes();
  }

  /** Returns a filter that matches no row, which Iceberg does not take for no filter. */
  private Expression noRows() {
    Table current = table.table();
    if (table.hasOtherSpec()) {
      throw new ValidationException("table %s has other partitions", table.name());
    }
    int source = BucketSpecs.field(current.spec()).sourceId();
    return Expressions.<Object>in(current.schema().findColumnName(source), List.of());
  }

  private Expression touched() {
    return table.spanning(blocks.stream().map(BlockResult::block).toList());
  }

  private static void add(BlockResult block, RowDelta delta) {
    block.added().forEach(delta::addRows);
    block.vectors().forEach(delta::addDeletes);
    block.replacedVectors().forEach(delta::removeDeletes);
    for (StoredFile file : block.replaced()) {
      delta.removeRows(file.data());
      file.deletes().stream().filter(ContentFileUtil::isDV).forEach(delta::removeDeletes);
    }
  }

  /** Returns the data files of new deletion vectors; replaced files are validated separately. */
  private List<String> referenced() {
    return blocks.stream().flatMap(block -> block.referenced().stream()).toList();
  }
}
