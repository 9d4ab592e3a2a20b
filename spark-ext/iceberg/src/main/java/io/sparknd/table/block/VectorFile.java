/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.table.TableErrors;
import io.sparknd.table.store.StoredTensor;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;

/** One file for deletion vectors: those of a task, or what all tasks of a job have left. */
public final class VectorFile {
  /** Rows in vectors that all tasks of a job together leave to the driver: a megabyte. */
  private static final long MOST_LEFT = 1 << 18;

  private final StoredTensor tensor;
  private final OutputFileFactory files;
  private String location;

  /**
   * @param partition of the task; for the driver a number that no task has
   * @param operation makes the names of files those of one commit
   */
  public VectorFile(StoredTensor tensor, int partition, long attempt, String operation) {
    this.tensor = tensor;
    this.files = tensor.newFiles(partition, attempt, operation, FileFormat.PUFFIN);
  }

  /**
   * What a task ends with: few deletions go to the driver, so that a commit has one file of them.
   *
   * @param tasks of the job
   */
  List<BlockResult> writeOrLeave(List<BlockResult> blocks, int tasks) {
    long rows =
        blocks.stream()
            .flatMap(block -> block.deletions().stream())
            .mapToLong(PendingDeletionVector::count)
            .sum();
    return rows <= MOST_LEFT / tasks
        ? blocks.stream().map(BlockResult::toSend).toList()
        : write(blocks);
  }

  /** Writes a vector for each deletion, if there is any. */
  public List<BlockResult> write(List<BlockResult> blocks) {
    if (blocks.stream().allMatch(block -> block.deletions().isEmpty())) {
      return blocks;
    }
    Map<String, DeleteFile> vectors = vectors(blocks);
    return blocks.stream().map(block -> block.with(vectors)).toList();
  }

  /** By the data file that each is of. */
  private Map<String, DeleteFile> vectors(List<BlockResult> blocks) {
    Map<String, PositionDeleteIndex> before = new HashMap<>();
    BaseDVFileWriter writer = new BaseDVFileWriter(this::newFile, before::get);
    for (BlockResult block : blocks) {
      for (PendingDeletionVector deletion : block.deletions()) {
        if (deletion.before() != null) {
          before.put(deletion.file(), deletion.before());
        }
        delete(block.block(), deletion, writer);
      }
    }
    try {
      writer.close();
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unwritableTableFile("a file of deletion vectors of " + tensor.name(), e);
    }
    return writer.result().deleteFiles().stream()
        .collect(Collectors.toMap(DeleteFile::referencedDataFile, Function.identity()));
  }

  private void delete(long block, PendingDeletionVector deletion, BaseDVFileWriter writer) {
    PartitionSpec spec = tensor.table().spec();
    PartitionData partition = tensor.partition(block);
    for (int position : deletion.positions()) {
      writer.delete(deletion.file(), position, spec, partition);
    }
  }

  private OutputFile newFile() {
    OutputFile file = files.newOutputFile().encryptingOutputFile();
    location = file.location();
    return file;
  }

  /** Where it is, or what there is of it after a failure; empty if it was never begun. */
  public Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
