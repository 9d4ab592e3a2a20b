/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.store.BlockFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The blocks whose files differ between two snapshots.
 *
 * @param table the table, for reads of the files of both
 * @param unchangedUntil sequence number up to which the earlier snapshot has all commits that the
 *     later one has; -1 if rows do not tell their commit, or histories differ
 */
public record ChangedBlocks(StoredFeatures table, List<BlockPair> pairs, long unchangedUntil) {

  /**
   * Finds the blocks.
   *
   * @param before the earlier snapshot; null for an empty table
   * @param after the later snapshot; null for an empty table
   */
  public static ChangedBlocks between(
      StoredFeatures table, @Nullable Snapshot before, @Nullable Snapshot after) {
    StoredFeatures all = table.spanning(before, after);
    Map<Long, BlockFiles> earlier = all.files(id(before));
    Map<Long, BlockFiles> later = all.files(id(after));
    List<BlockPair> pairs = new ArrayList<>();
    TreeSet<Long> blocks = new TreeSet<>(earlier.keySet());
    blocks.addAll(later.keySet());
    for (long block : blocks) {
      BlockFiles then = earlier.getOrDefault(block, BlockFiles.none(block));
      BlockFiles now = later.getOrDefault(block, BlockFiles.none(block));
      if (!then.isSameAs(now)) {
        pairs.add(new BlockPair(then, now));
      }
    }
    return new ChangedBlocks(all, pairs, unchangedUntil(table.table(), before, after));
  }

  private static @Nullable Long id(@Nullable Snapshot snapshot) {
    return snapshot == null ? null : snapshot.snapshotId();
  }

  private static long unchangedUntil(
      Table table, @Nullable Snapshot before, @Nullable Snapshot after) {
    if (before == null || after == null || before.firstRowId() == null) {
      return -1;
    }
    boolean isBefore = SnapshotUtil.isAncestorOf(table, after.snapshotId(), before.snapshotId());
    return isBefore && TableUtil.supportsRowLineage(table) ? before.sequenceNumber() : -1;
  }

  /** Returns the blocks in partitions; there is at least one. */
  public JavaRDD<BlockPair> distribute(JavaSparkContext context) {
    return context.parallelize(pairs, Math.min(pairs.size(), 4 * ClusterCores.of(context.sc())));
  }
}
