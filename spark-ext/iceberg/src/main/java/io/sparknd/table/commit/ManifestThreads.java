/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.block.BlockResult;
import io.sparknd.table.store.StoredTensor;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.expressions.ManifestEvaluator;
import org.apache.iceberg.relocated.com.google.common.util.concurrent.MoreExecutors;

/**
 * Who reads and writes manifests for a commit. Iceberg looks every 10 ms whether its own threads
 * are done, several times a commit: that is most of what a small one takes.
 */
final class ManifestThreads {
  /** So many are read about as fast by one thread, even where they are far away. */
  private static final int FEW = 8;

  /** A manifest names some thousand files. */
  private static final int FEW_FILES = 5_000;

  private ManifestThreads() {}

  /**
   * Lets the caller's thread do all where there is little to do.
   *
   * @param base the snapshot that was read; null for a table without one
   * @param blocks that the update changes; manifests that name no file of theirs are not read
   */
  static void choose(
      SnapshotUpdate<?> update, StoredTensor tensor, Long base, Collection<BlockResult> blocks) {
    long files = blocks.stream().mapToLong(BlockResult::files).sum();
    if (files <= FEW_FILES && read(tensor, base, blocks) <= FEW) {
      ExecutorService caller = MoreExecutors.newDirectExecutorService();
      update.scanManifestsWith(caller);
      update.writeManifestsWith(caller, 1);
    }
  }

  /** About how many manifests name files of {@code blocks}. */
  private static long read(StoredTensor tensor, Long base, Collection<BlockResult> blocks) {
    Snapshot snapshot = base == null ? null : tensor.table().snapshot(base);
    if (snapshot == null) {
      return 0;
    }
    ManifestEvaluator evaluator =
        ManifestEvaluator.forRowFilter(
            tensor.spanning(blocks.stream().map(BlockResult::block).toList()),
            tensor.table().spec(),
            true);
    return snapshot.allManifests(tensor.table().io()).stream().filter(evaluator::eval).count();
  }
}
