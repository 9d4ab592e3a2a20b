/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Collection;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;

/**
 * Rejects a commit of files that were written for other columns or partitions than the table has,
 * of rows beyond its size, and of a batch that it holds. Other threads may use, and so refresh, the
 * same table, if a catalog caches tables: only what the table was opened with can be compared.
 *
 * @param batchId the batch that the commit adds
 */
record UnchangedTable(StoredTable table, Collection<BlockResult> blocks, Optional<String> batchId)
    implements SnapshotAncestryValidator {
  @Override
  public boolean validate(Iterable<Snapshot> ancestors) {
    return !table.hasOtherColumns()
        && !table.hasOtherSpec()
        && ShrunkAxis.tooSmall(table, blocks).isEmpty()
        && batchId
            .map(id -> BatchIds.rejectReplay(table.table(), id).validate(ancestors))
            .orElse(true);
  }

  @Override
  public String errorMessage() {
    return "table "
        + table.name()
        + " shrank, has other columns or partitions, or holds batch "
        + batchId.orElse("none");
  }
}
