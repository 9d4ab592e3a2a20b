/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.store.StoredTensor;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
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
   * @param files that the update adds and removes
   */
  static void choose(SnapshotUpdate<?> update, StoredTensor tensor, long files) {
    Snapshot snapshot = tensor.table().currentSnapshot();
    boolean few = snapshot == null || snapshot.allManifests(tensor.table().io()).size() <= FEW;
    if (few && files <= FEW_FILES) {
      ExecutorService caller = MoreExecutors.newDirectExecutorService();
      update.scanManifestsWith(caller);
      update.writeManifestsWith(caller, 1);
    }
  }
}
