/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.table.internal.file.ChecksumVerification;
import io.sparknd.table.internal.file.TableFile;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.spark.source.metrics.TaskNumDeletes;
import org.apache.iceberg.spark.source.metrics.TaskNumSplits;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads the files of a task in batches. */
final class PartitionBatches implements PartitionReader<ColumnarBatch> {
  private final Deque<FileBatches> files;
  private final int splits;
  private @Nullable FileBatches open;
  private long deletedRows;

  private PartitionBatches(Deque<FileBatches> files) {
    this.files = files;
    this.splits = files.size();
  }

  /**
   * Reads the footers of all files.
   *
   * @param mostRows the most rows of a batch
   * @return empty if only Iceberg can read one of them, or it may report better what is wrong
   * @throws SparkNdException if a file is missing
   */
  static Optional<PartitionReader<ColumnarBatch>> of(
      PlannedFiles planned, ChecksumVerification checks, int mostRows) {
    Deque<FileBatches> files = new ArrayDeque<>();
    for (FileScanTask task : planned.files()) {
      Optional<FileBatches> file = file(planned, task, checks, mostRows);
      if (file.isEmpty()) {
        return Optional.empty();
      }
      files.add(file.get());
    }
    return Optional.of(new PartitionBatches(files));
  }

  private static Optional<FileBatches> file(
      PlannedFiles planned, FileScanTask task, ChecksumVerification checks, int mostRows) {
    try {
      return FileBatches.of(planned, task, checks, mostRows);
    } catch (IOException | RuntimeException e) {
      TableFile source = planned.file(task);
      if (source.isMissing()) {
        throw source.failure(e);
      }
      return Optional.empty();
    }
  }

  @Override
  public boolean next() {
    while (open != null || !files.isEmpty()) {
      FileBatches file = open == null ? begin(files.remove()) : open;
      try {
        if (file.next()) {
          return true;
        }
        end(file);
      } catch (SparkNdException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw file.source().failure(e);
      }
    }
    return false;
  }

  private FileBatches begin(FileBatches file) {
    FileScanTask task = file.task();
    InputFileBlockHolder.set(task.file().location(), task.start(), task.length());
    open = file;
    return file;
  }

  private void end(FileBatches file) throws IOException {
    deletedRows += file.deletedRows();
    open = null;
    file.close();
  }

  @Override
  public ColumnarBatch get() {
    if (open == null) {
      throw new IllegalStateException("there is no batch");
    }
    return open.batch();
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    long deleted = deletedRows + (open == null ? 0 : open.deletedRows());
    return new CustomTaskMetric[] {
      new TaskNumSplits(splits), new TaskNumDeletes(deleted), new BatchedSplits.OfTask(splits)
    };
  }

  @Override
  public void close() throws IOException {
    InputFileBlockHolder.unset();
    if (open != null) {
      end(open);
    }
  }
}
