/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.StoredTensor;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Looks up the files of blocks at a snapshot asynchronously. */
final class BlockFilePlan {
  private final FutureTask<Map<Long, BlockFiles>> files;

  private BlockFilePlan(FutureTask<Map<Long, BlockFiles>> files) {
    this.files = files;
  }

  /**
   * Starts the lookup.
   *
   * @param snapshot null if there is none
   */
  static BlockFilePlan begin(StoredTensor tensor, Long snapshot) {
    FutureTask<Map<Long, BlockFiles>> files = new FutureTask<>(() -> tensor.files(snapshot));
    // not a common pool's: a new thread inherits the caller's class loader
    Thread thread = new Thread(files, "sparknd planning");
    thread.setDaemon(true);
    thread.start();
    return new BlockFilePlan(files);
  }

  /** Waits for the lookup and returns the files by block. */
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
