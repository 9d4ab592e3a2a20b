/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.store.StoredTable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.TaskFailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The files that one task writes. */
public final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);

  private final TaskContext task;
  private final StoredTable table;
  private final OutputFileFactory dataFiles;
  private final DeletionVectorFile vectors;
  private final Set<String> written = new HashSet<>();

  private TaskFiles(TaskContext task, StoredTable table, int partition, String operation) {
    long attempt = task.taskAttemptId();
    this.task = task;
    this.table = table;
    this.dataFiles = table.newFiles(partition, attempt, operation, FileFormat.PARQUET);
    this.vectors = new DeletionVectorFile(table, partition, attempt, operation);
  }

  /**
   * Creates the names of the running task's files, which are deleted if it fails.
   *
   * @param operation operation id in the names of the commit's files
   */
  public static TaskFiles of(StoredTable table, int partition, String operation) {
    TaskContext task = TaskContext.get();
    TaskFiles files = new TaskFiles(task, table, partition, operation);
    task.addTaskFailureListener((TaskFailureListener) (context, error) -> files.discard());
    return files;
  }

  /** Fails if the task was killed: Spark only sets a flag, and would wait for the other blocks. */
  public void requireAlive() {
    task.killTaskIfInterrupted();
  }

  /**
   * Returns a data file to write.
   *
   * @param partition its partition, of the table's current spec
   */
  public EncryptedOutputFile newDataFile(StructLike partition) {
    EncryptedOutputFile file = dataFiles.newOutputFile(table.table().spec(), partition);
    written.add(file.encryptingOutputFile().location());
    return file;
  }

  /**
   * Finishes the task: writes its deletion vectors, or leaves them to the driver.
   *
   * @param tasks number of tasks in the job
   */
  public List<BlockResult> finish(List<BlockResult> blocks, int tasks) {
    return vectors.writeOrDefer(blocks, tasks);
  }

  /**
   * Records the files at the end of the task. If it was killed, it fails, which deletes them: Spark
   * drops what a killed task recorded, and calls no listener after its end.
   *
   * @param successful collects the locations of the files of successful tasks
   */
  public void record(CollectionAccumulator<String> successful) {
    requireAlive();
    locations().forEach(successful::add);
  }

  private Set<String> locations() {
    Set<String> all = new HashSet<>(written);
    vectors.location().ifPresent(all::add);
    return all;
  }

  /**
   * Deletes the files; those that cannot be deleted become orphans of the table. Only the first is
   * a warning: if the storage fails, all files of many tasks are left.
   */
  private void discard() {
    Level level = Level.WARN;
    for (String location : locations()) {
      try {
        table.table().io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.atLevel(level)
            .addKeyValue("table_name", table.name())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} could not be deleted; remove_orphans deletes it", location);
        level = Level.DEBUG;
      }
    }
  }
}
