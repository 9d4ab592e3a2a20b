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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that one task writes. */
public final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);

  private final StoredTable table;
  private final OutputFileFactory dataFiles;
  private final DeletionVectorFile vectors;
  private final Set<String> written = new HashSet<>();

  /**
   * Creates the names of a task attempt's files.
   *
   * @param operation operation id in the names of the commit's files
   */
  public TaskFiles(StoredTable table, int partition, long attempt, String operation) {
    this.table = table;
    this.dataFiles = table.newFiles(partition, attempt, operation, FileFormat.PARQUET);
    this.vectors = new DeletionVectorFile(table, partition, attempt, operation);
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

  /** Returns the locations of all files that the task wrote. */
  public Set<String> locations() {
    Set<String> all = new HashSet<>(written);
    vectors.location().ifPresent(all::add);
    return all;
  }

  /**
   * Deletes the files of a failed task; files that cannot be deleted become orphans of the table.
   */
  public void discard() {
    for (String location : locations()) {
      try {
        table.table().io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.atDebug()
            .addKeyValue("table_name", table.name())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} could not be deleted; removeOrphans() deletes it later", location);
      }
    }
  }
}
