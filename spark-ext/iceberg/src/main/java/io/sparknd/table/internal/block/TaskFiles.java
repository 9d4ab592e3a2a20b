/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.file.RowFileWriter;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.StoredTensor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Table;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that one task writes. */
final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);

  private final StoredTensor tensor;
  private final OutputFileFactory dataFiles;
  private final DeletionVectorFile vectors;
  private final Set<String> written = new HashSet<>();

  /**
   * Creates the names of a task attempt's files.
   *
   * @param operation operation id in the names of the commit's files
   */
  TaskFiles(StoredTensor tensor, int partition, long attempt, String operation) {
    this.tensor = tensor;
    this.dataFiles = tensor.newFiles(partition, attempt, operation, FileFormat.PARQUET);
    this.vectors = new DeletionVectorFile(tensor, partition, attempt, operation);
  }

  /**
   * Writes rows of one block to a new data file.
   *
   * @param rows offsets, ascending
   * @param lineage lineage by slot
   */
  DataFile write(long block, SortedRows rows, Object payload, RowLineage lineage) {
    Table table = tensor.table();
    PartitionData partition = tensor.partition(block);
    EncryptedOutputFile encrypted = dataFiles.newOutputFile(table.spec(), partition);
    OutputFile file = encrypted.encryptingOutputFile();
    written.add(file.location());
    RowFormat format = tensor.format().rows();
    RowFileWriter writer =
        lineage.isInherited()
            ? RowFileWriter.create(file, format, table.properties())
            : RowFileWriter.withLineage(file, format, table.properties());
    try (writer) {
      writer.append(rows.rows(), rows.slots(), rows.count(), payload, lineage);
    }
    return DataFiles.builder(table.spec())
        .withPath(file.location())
        .withFormat(FileFormat.PARQUET)
        .withPartition(partition)
        .withFileSizeInBytes(writer.length())
        .withMetrics(writer.metrics())
        .withSplitOffsets(writer.splitOffsets())
        .withSortOrder(tensor.sortOrder())
        .build();
  }

  /**
   * Finishes the task: writes its deletion vectors, or leaves them to the driver.
   *
   * @param tasks number of tasks in the job
   */
  List<BlockResult> finish(List<BlockResult> blocks, int tasks) {
    return vectors.writeOrLeave(blocks, tasks);
  }

  /** Returns the locations of all files that the task wrote. */
  Set<String> locations() {
    Set<String> all = new HashSet<>(written);
    vectors.location().ifPresent(all::add);
    return all;
  }

  /**
   * Deletes the files of a failed task; files that cannot be deleted become orphans of the table.
   */
  void discard() {
    for (String location : locations()) {
      try {
        tensor.table().io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.atDebug()
            .addKeyValue("table_name", tensor.name())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} did not exist when it was to be deleted", location);
      }
    }
  }
}
