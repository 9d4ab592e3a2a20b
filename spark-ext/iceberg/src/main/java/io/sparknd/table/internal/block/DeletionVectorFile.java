/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.StoredTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

/**
 * A Puffin file of deletion vectors: those of one task, or those that the tasks of a job leave to
 * the driver.
 */
public final class DeletionVectorFile {
  /**
   * Maximum deleted rows that all tasks of a job together leave to the driver: 1 MiB of positions.
   */
  private static final long MAX_DEFERRED_ROWS = 1 << 18;

  private final StoredTable table;
  private final OutputFileFactory files;
  private @Nullable String location;

  /**
   * Creates a file that is begun at the first vector.
   *
   * @param partition partition of the task; for the driver, a number that no task has
   * @param operation operation id in the names of the commit's files
   */
  public DeletionVectorFile(StoredTable table, int partition, long attempt, String operation) {
    this.table = table;
    this.files = table.newFiles(partition, attempt, operation, FileFormat.PUFFIN);
  }

  /**
   * Writes a task's vectors, or leaves them to the driver if they delete few rows, so that the
   * commit has one file of vectors.
   *
   * @param tasks number of tasks in the job
   */
  List<BlockResult> writeOrDefer(List<BlockResult> blocks, int tasks) {
    long rows =
        blocks.stream()
            .flatMap(block -> block.deletions().stream())
            .mapToLong(PendingDeletionVector::count)
            .sum();
    return rows <= MAX_DEFERRED_ROWS / tasks
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

  /** Writes the vectors and returns them by the data file that they apply to. */
  @SuppressWarnings("deprecation") // the other constructor opens files that this one needs not
  private Map<String, DeleteFile> vectors(List<BlockResult> blocks) {
    Map<String, PositionDeleteIndex> before = new HashMap<>();
    BaseDVFileWriter writer = new BaseDVFileWriter(this::newFile, before::get);
    for (BlockResult block : blocks) {
      for (PendingDeletionVector deletion : block.deletions()) {
        if (deletion.before() != null) {
          before.put(deletion.file(), deletion.before());
        }
        delete(deletion, writer);
      }
    }
    try {
      writer.close();
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unwritableTableFile("a file of deletion vectors of " + table.name(), e);
    }
    return writer.result().deleteFiles().stream()
        .collect(Collectors.toMap(DeleteFile::referencedDataFile, Function.identity()));
  }

  private void delete(PendingDeletionVector deletion, BaseDVFileWriter writer) {
    PartitionSpec spec = table.table().specs().get(deletion.specId());
    for (int position : deletion.positions()) {
      writer.delete(deletion.file(), position, spec, deletion.partition());
    }
  }

  private OutputFile newFile() {
    OutputFile file = files.newOutputFile().encryptingOutputFile();
    location = file.location();
    return file;
  }

  /**
   * Returns the location of the file, which may be incomplete after a failure; empty if it was
   * never begun.
   */
  public Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
