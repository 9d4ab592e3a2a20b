/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.BlockFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The jobs of a commit, which write new files for blocks. */
interface BlockRewrite {
  /**
   * Writes new files for blocks.
   *
   * @param base the snapshot whose files these are; null for a table without one
   * @param files the blocks' current files
   * @param only the blocks to process; null for all that need work
   */
  List<BlockResult> run(@Nullable Long base, Map<Long, BlockFiles> files, @Nullable Set<Long> only);

  /** Returns the locations of all files written, in every run. */
  List<String> written();

  /**
   * Checks blocks that were processed and that another commit has changed since.
   *
   * @param before their files before that commit
   * @param now their files after it
   * @throws io.sparknd.tensor.SparkNdException if they must not be processed again
   */
  void requireUnchanged(Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now);
}
