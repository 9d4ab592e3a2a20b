/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.table.file.RowFileWriter;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.NdErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that one task writes. */
final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);

  private final StoredTensor tensor;
  private final OutputFileFactory dataFiles;
  private final OutputFileFactory vectorFiles;
  private final Map<String, PositionDeleteIndex> deletedBefore = new HashMap<>();
  private final Set<String> written = new HashSet<>();
  private BaseDVFileWriter vectors;

  /**
   * @param operation makes the names of files those of one commit
   */
  TaskFiles(StoredTensor tensor, int partition, long attempt, String operation) {
    this.tensor = tensor;
    this.dataFiles = factory(tensor.table(), partition, attempt, operation, FileFormat.PARQUET);
    this.vectorFiles = factory(tensor.table(), partition, attempt, operation, FileFormat.PUFFIN);
  }

  private static OutputFileFactory factory(
      Table table, int partition, long attempt, String operation, FileFormat format) {
    return OutputFileFactory.builderFor(table, partition, attempt)
        .operationId(operation)
        .format(format)
        .build();
  }

  /**
   * Writes rows of one block.
   *
   * @param rows positions in the outer shape, ascending
   */
  DataFile write(long block, SortedRows rows, Object payload) {
    Table table = tensor.table();
    PartitionData partition = partition(block);
    EncryptedOutputFile encrypted = dataFiles.newOutputFile(table.spec(), partition);
    OutputFile file = encrypted.encryptingOutputFile();
    written.add(file.location());
    RowFileWriter writer = RowFileWriter.create(file, tensor.format().rows(), table.properties());
    try (writer) {
      writer.append(rows.rows(), rows.slots(), rows.count(), payload);
    }
    return DataFiles.builder(table.spec())
        .withPath(file.location())
        .withFormat(FileFormat.PARQUET)
        .withPartition(partition)
        .withFileSizeInBytes(writer.length())
        .withMetrics(writer.metrics())
        .withSplitOffsets(writer.splitOffsets())
        .withSortOrder(table.sortOrder())
        .build();
  }

  /** Deletes rows of a file that stays. */
  void delete(long block, OpenFile file, int[] positions) {
    if (vectors == null) {
      vectors = new BaseDVFileWriter(vectorFiles, deletedBefore::get);
    }
    if (file.deleted().isNotEmpty()) {
      deletedBefore.put(file.stored().location(), file.deleted());
    }
    PartitionData partition = partition(block);
    for (int position : positions) {
      vectors.delete(file.stored().location(), position, tensor.table().spec(), partition);
    }
  }

  private PartitionData partition(long block) {
    PartitionData partition = new PartitionData(tensor.table().spec().partitionType());
    partition.set(0, tensor.format().partitionValue(block));
    return partition;
  }

  /** Ends the task: gives every block its deletion vectors. */
  List<BlockResult> finish(Collection<BlockResult> blocks, Map<String, Long> owners) {
    if (vectors == null) {
      return List.copyOf(blocks);
    }
    DeleteWriteResult result = close(vectors);
    Map<Long, List<DeleteFile>> made = byBlock(result.deleteFiles(), owners);
    Map<Long, List<DeleteFile>> replaced = byBlock(result.rewrittenDeleteFiles(), owners);
    result.deleteFiles().forEach(file -> written.add(file.location()));
    return blocks.stream()
        .map(
            block ->
                block.with(
                    made.getOrDefault(block.block(), List.of()),
                    replaced.getOrDefault(block.block(), List.of())))
        .toList();
  }

  private DeleteWriteResult close(BaseDVFileWriter vectors) {
    try {
      vectors.close();
      return vectors.result();
    } catch (IOException | RuntimeException e) {
      throw NdErrors.unwritableTableFile("a file of deletion vectors of " + tensor.name(), e);
    }
  }

  private static Map<Long, List<DeleteFile>> byBlock(
      List<DeleteFile> files, Map<String, Long> owners) {
    Map<Long, List<DeleteFile>> blocks = new HashMap<>();
    for (DeleteFile file : files) {
      blocks
          .computeIfAbsent(owners.get(file.referencedDataFile()), key -> new ArrayList<>())
          .add(file);
    }
    return blocks;
  }

  /** Where all files are. */
  Set<String> locations() {
    return Set.copyOf(written);
  }

  /** Removes what a failed task wrote; what cannot be removed is an orphan of the table. */
  void discard() {
    for (String location : written) {
      try {
        tensor.table().io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.atDebug()
            .addKeyValue("table_name", tensor.name())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} was not there to delete", location);
      }
    }
  }
}
