/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.StoredTensor;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The files that blocks have at a snapshot, found while the caller does something else. */
final class BlockFilePlan {
  private final FutureTask<Map<Long, BlockFiles>> files;

  private BlockFilePlan(FutureTask<Map<Long, BlockFiles>> files) {
    this.files = files;
  }

  /**
   * Begins.
   *
   * @param snapshot null: there is none
   */
  static BlockFilePlan begin(StoredTensor tensor, Long snapshot) {
    FutureTask<Map<Long, BlockFiles>> files = new FutureTask<>(() -> tensor.files(snapshot));
    // not of a common pool: classes are looked for where the caller's are
    Thread thread = new Thread(files, "sparknd planning");
    thread.setDaemon(true);
    thread.start();
    return new BlockFilePlan(files);
  }

  /** Waits for the end. */
  Map<Long, BlockFiles> files() {
    try {
      return files.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a table's files were looked up", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }
}
