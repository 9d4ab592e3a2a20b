/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.table.internal.file.ChecksumVerification;
import io.sparknd.table.internal.file.InputAdapter;
import io.sparknd.table.internal.file.ParquetReaders;
import io.sparknd.table.internal.file.RowGroupReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.spark.data.vectorized.ColumnVectorWithFilter;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** The live rows of a split of one file, in batches. */
final class FileBatches implements Closeable {
  /** Bytes of a batch, so that it stays in the processor's cache. */
  private static final long BATCH_BYTES = 1 << 20;

  /** Null, so that delete files are read in the task's own thread. */
  private static final @Nullable ExecutorService ONE_BY_ONE = null;

  private final PlannedFiles planned;
  private final FileScanTask task;
  private final InputAdapter input;
  private final ParquetFileReader file;
  private final List<FileColumn> columns;
  private final int mostRows;
  private final List<VectorReader> readers = new ArrayList<>();
  private ColumnVector[] vectors = {};
  private PositionDeleteIndex deleted = PositionDeleteIndex.empty();
  private @Nullable PageReadStore pages;
  private @Nullable ColumnarBatch batch;
  private boolean isStarted;
  private int capacity;
  private int nextGroup;
  private long left;
  private long position;
  private long deletedRows;

  private FileBatches(
      PlannedFiles planned,
      FileScanTask task,
      InputAdapter input,
      ParquetFileReader file,
      List<FileColumn> columns,
      int mostRows) {
    this.planned = planned;
    this.task = task;
    this.input = input;
    this.file = file;
    this.columns = columns;
    this.mostRows = mostRows;
  }

  /**
   * Opens a split and reads the footer of its file.
   *
   * @param mostRows the most rows of a batch
   * @return empty if only Iceberg can read the file
   */
  static Optional<FileBatches> open(
      PlannedFiles planned, FileScanTask task, ChecksumVerification checks, int mostRows)
      throws IOException {
    InputAdapter input = new InputAdapter(planned.io().newInputFile(task.file()));
    ParquetFileReader file = ParquetReaders.open(input, checks, task.start(), task.length());
    Optional<FileBatches> batches = Optional.empty();
    try {
      ParquetMetadata footer = file.getFooter();
      MessageType schema = footer.getFileMetaData().getSchema();
      Optional<List<FileColumn>> columns = FileColumn.of(planned, task, schema);
      boolean hasPositions =
          footer.getBlocks().stream().allMatch(group -> group.getRowIndexOffset() >= 0);
      if (columns.isPresent() && hasPositions) {
        Optional<FilterPredicate> wanted =
            RowGroupPredicate.of(
                task.residual(), planned.projection(), planned.isCaseSensitive(), schema);
        if (wanted.isPresent()) {
          file.close();
          file = ParquetReaders.open(input, checks, footer, wanted.get());
        }
        batches = Optional.of(new FileBatches(planned, task, input, file, columns.get(), mostRows));
      }
      return batches;
    } finally {
      if (batches.isEmpty()) {
        file.close();
      }
      input.release(); // a task has many files, and one open stream
    }
  }

  FileScanTask task() {
    return task;
  }

  long deletedRows() {
    return deletedRows;
  }

  /** Returns the rows that the last successful {@link #next} read; valid until the next. */
  ColumnarBatch batch() {
    return Objects.requireNonNull(batch);
  }

  /** Reads the next rows; false if there are none. */
  boolean next() throws IOException {
    if (!isStarted) {
      start();
    }
    while (left > 0 || startGroup()) {
      int rows = (int) Math.min(left, capacity);
      for (VectorReader reader : readers) {
        group(nextGroup - 1).decode(reader.descriptor(), () -> reader.read(rows));
      }
      batch = live(rows);
      position += rows;
      left -= rows;
      if (batch.numRows() > 0) {
        return true;
      }
    }
    return false;
  }

  private void start() {
    isStarted = true;
    capacity = capacity();
    vectors = new ColumnVector[columns.size()];
    for (int i = 0; i < vectors.length; i++) {
      FileColumn column = columns.get(i);
      if (column.stored() == null) {
        vectors[i] = constant(column);
      } else {
        VectorReader reader = new VectorReader(column.stored(), column.type(), capacity);
        readers.add(reader);
        vectors[i] = reader.vector();
      }
    }
    file.setRequestedSchema(descriptors());
    if (!task.deletes().isEmpty()) {
      deleted =
          new BaseDeleteLoader(planned.io()::newInputFile, ONE_BY_ONE)
              .loadPositionDeletes(task.deletes(), task.file().location());
    }
  }

  private ColumnVector constant(FileColumn column) {
    ConstantColumnVector constant = new ConstantColumnVector(capacity, column.type());
    Object value = column.constant();
    if (value == null) {
      constant.setNull();
    } else {
      ColumnVectorUtils.populate(constant, InternalRows.row(value), 0);
    }
    return constant;
  }

  private List<ColumnDescriptor> descriptors() {
    return readers.stream().map(VectorReader::descriptor).toList();
  }

  /** Returns the rows of a batch, by the mean size of the largest rows of a row group. */
  private int capacity() {
    double most = 1;
    for (BlockMetaData group : file.getRowGroups()) {
      double bytes = 0;
      for (ColumnChunkMetaData chunk : group.getColumns()) {
        for (FileColumn column : columns) {
          VectorColumn stored = column.stored();
          if (stored != null
              && Arrays.equals(stored.descriptor().getPath(), chunk.getPath().toArray())) {
            bytes +=
                Math.max(
                    chunk.getTotalUncompressedSize(),
                    chunk.getValueCount() * stored.element().width());
          }
        }
      }
      most = Math.max(most, bytes / Math.max(1, group.getRowCount()));
    }
    return (int) Math.max(1, Math.min(mostRows, BATCH_BYTES / most));
  }

  private RowGroupReader group(int ordinal) {
    return new RowGroupReader(input.toString(), file, ordinal, descriptors());
  }

  private boolean startGroup() throws IOException {
    closePages();
    if (nextGroup == file.getRowGroups().size()) {
      return false;
    }
    int ordinal = nextGroup++;
    BlockMetaData group = file.getRowGroups().get(ordinal);
    left = group.getRowCount();
    position = group.getRowIndexOffset();
    if (left > 0 && !readers.isEmpty()) {
      RowGroupReader read = group(ordinal);
      PageReadStore opened = read.pages(() -> file.readRowGroup(ordinal));
      pages = opened;
      for (VectorReader reader : readers) {
        read.decode(reader.descriptor(), () -> reader.start(opened));
      }
    }
    return left > 0 || startGroup();
  }

  /** Returns the rows that are not deleted. */
  private ColumnarBatch live(int rows) {
    if (deleted.isEmpty()) {
      return new ColumnarBatch(vectors, rows);
    }
    int[] kept = new int[rows];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (!deleted.isDeleted(position + row)) {
        kept[count++] = row;
      }
    }
    deletedRows += rows - count;
    if (count == rows) {
      return new ColumnarBatch(vectors, rows);
    }
    ColumnVector[] filtered = new ColumnVector[vectors.length];
    for (int i = 0; i < filtered.length; i++) {
      filtered[i] = new ColumnVectorWithFilter(vectors[i], kept);
    }
    return new ColumnarBatch(filtered, count);
  }

  private void closePages() {
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }

  @Override
  public void close() throws IOException {
    closePages();
    file.close();
    input.release();
  }
}
