/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Commits the files of blocks as one snapshot. */
@FunctionalInterface
interface SnapshotCommit {
  /**
   * Commits the blocks.
   *
   * @param base the snapshot that was read; null for a table without one
   * @return the new snapshot
   * @throws org.apache.iceberg.exceptions.ValidationException if another commit won the race
   */
  long commit(@Nullable Long base, Collection<BlockResult> blocks);
}
