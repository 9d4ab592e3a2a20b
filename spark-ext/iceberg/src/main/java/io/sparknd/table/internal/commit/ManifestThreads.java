/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.expressions.ManifestEvaluator;
import org.apache.iceberg.relocated.com.google.common.util.concurrent.MoreExecutors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the threads that read and write manifests for a commit. Iceberg polls its own threads
 * every 10 ms, several times a commit; these waits dominate small commits.
 */
final class ManifestThreads {
  /** One thread reads up to this many manifests about as fast, even from remote storage. */
  private static final int FEW = 8;

  /** File limit for the caller's thread; one manifest lists some thousand files. */
  private static final int FEW_FILES = 5_000;

  private ManifestThreads() {}

  /**
   * Uses the caller's thread if there is little to do.
   *
   * @param base the snapshot that was read; null for a table without one
   * @param blocks blocks that the update changes; manifests without files of these blocks are not
   *     read
   */
  static void choose(
      SnapshotUpdate<?> update,
      StoredTable table,
      @Nullable Long base,
      Collection<BlockResult> blocks) {
    long files = blocks.stream().mapToLong(BlockResult::files).sum();
    if (files <= FEW_FILES && read(table, base, blocks) <= FEW) {
      ExecutorService caller = MoreExecutors.newDirectExecutorService();
      update.scanManifestsWith(caller);
      update.writeManifestsWith(caller, 1);
    }
  }

  /** Returns approximately how many manifests list files of {@code blocks}. */
  private static long read(StoredTable table, @Nullable Long base, Collection<BlockResult> blocks) {
    Snapshot snapshot = base == null ? null : table.table().snapshot(base);
    if (snapshot == null) {
      return 0;
    }
    ManifestEvaluator evaluator =
        ManifestEvaluator.forRowFilter(
            table.spanning(blocks.stream().map(BlockResult::block).toList()),
            table.table().spec(),
            true);
    int current = table.table().spec().specId(); // the evaluator knows no other
    return snapshot.allManifests(table.table().io()).stream()
        .filter(manifest -> manifest.partitionSpecId() != current || evaluator.eval(manifest))
        .count();
  }
}
