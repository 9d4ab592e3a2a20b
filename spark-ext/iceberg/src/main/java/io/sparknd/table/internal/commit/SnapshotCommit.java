/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import java.util.Collection;
import org.apache.iceberg.SnapshotUpdate;
import org.jspecify.annotations.Nullable;

/** Describes the files of blocks as one snapshot. */
@FunctionalInterface
interface SnapshotCommit {
  /**
   * Returns the update, which is not committed. Its commit throws {@link
   * org.apache.iceberg.exceptions.ValidationException} if another one won the race.
   *
   * @param base the snapshot that was read; null for a table without one
   */
  SnapshotUpdate<?> update(@Nullable Long base, Collection<BlockResult> blocks);
}
