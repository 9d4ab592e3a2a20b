/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.store.StoredTensor;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.relocated.com.google.common.util.concurrent.MoreExecutors;
import org.apache.iceberg.util.ThreadPools;

/**
 * Who reads and writes manifests for a commit. Iceberg looks every 10 ms whether its own threads
 * are done, several times a commit: that is most of the time of a small one.
 */
final class ManifestReading {
  /** So many are read faster by one thread, even where they are far away. */
  private static final int FEW = 8;

  private ManifestReading() {}

  static ExecutorService of(StoredTensor tensor) {
    Snapshot snapshot = tensor.table().currentSnapshot();
    boolean isFew = snapshot == null || snapshot.allManifests(tensor.table().io()).size() <= FEW;
    return isFew ? MoreExecutors.newDirectExecutorService() : ThreadPools.getWorkerPool();
  }
}
