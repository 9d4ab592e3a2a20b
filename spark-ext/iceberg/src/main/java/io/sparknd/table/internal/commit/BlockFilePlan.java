/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Looks up the files of blocks at a snapshot asynchronously. */
final class BlockFilePlan {
  private final @Nullable Long snapshot;
  private final FutureTask<Map<Long, BlockFiles>> files;

  private BlockFilePlan(@Nullable Long snapshot, FutureTask<Map<Long, BlockFiles>> files) {
    this.snapshot = snapshot;
    this.files = files;
  }

  /** Starts the lookup at the snapshot that the next commit follows. */
  static BlockFilePlan begin(StoredTable table, CommitTarget target) {
    @Nullable Long snapshot = target.headId(table.table());
    FutureTask<Map<Long, BlockFiles>> files = new FutureTask<>(() -> table.files(snapshot));
    // not a common pool's: a new thread inherits the caller's class loader
    Thread thread = new Thread(files, "sparknd planning");
    thread.setDaemon(true);
    thread.start();
    return new BlockFilePlan(snapshot, files);
  }

  /** Returns whether the lookup is at {@code other}; null for a table without a snapshot. */
  boolean isAt(@Nullable Long other) {
    return Objects.equals(snapshot, other);
  }

  /** Waits for the lookup and returns the files by block. */
  Map<Long, BlockFiles> files() {
    try {
      return files.get();
    } catch (InterruptedException e) {
      throw SneakyThrow.thrown(e); // as Spark's jobs do
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }
}
