/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.table.internal.file.ChecksumVerification;
import io.sparknd.table.internal.file.DeletedPositions;
import io.sparknd.table.internal.file.InputAdapter;
import io.sparknd.table.internal.file.ParquetReaders;
import io.sparknd.table.internal.file.RowGroupReader;
import io.sparknd.table.internal.file.TableFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.spark.data.vectorized.ColumnVectorWithFilter;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** The live rows of a split of one file, in batches. */
final class FileBatches implements Closeable {
  /** Bytes of a batch, so that it stays in the CPU's cache. */
  private static final long BATCH_BYTES = 1 << 20;

  /** The rows of the first batch if values have no fixed width. */
  private static final int FIRST_ROWS = 16;

  private final PlannedFiles planned;
  private final FileScanTask task;
  private final InputAdapter input;
  private final ChecksumVerification checks;
  private final ParquetMetadata footer;
  private final List<FileColumn> columns;
  private final int mostRows;
  private final List<VectorReader> readers = new ArrayList<>();
  private @Nullable ParquetFileReader file;
  private @Nullable RowGroupReader group;
  private ColumnVector[] vectors = {};
  private PositionDeleteIndex deleted = PositionDeleteIndex.empty();
  private @Nullable PageReadStore pages;
  private @Nullable ColumnarBatch batch;
  private int capacity;

  /** The rows of the next batch at most: fewer than the capacity if values are long. */
  private int rowsAtOnce;

  private int nextGroup;
  private long left;
  private long position;
  private long deletedRows;

  private FileBatches(
      PlannedFiles planned,
      FileScanTask task,
      InputAdapter input,
      ChecksumVerification checks,
      ParquetMetadata footer,
      List<FileColumn> columns,
      int mostRows) {
    this.planned = planned;
    this.task = task;
    this.input = input;
    this.checks = checks;
    this.footer = footer;
    this.columns = columns;
    this.mostRows = mostRows;
  }

  /**
   * Reads the footer of a file. The file is opened again for the first batch, so that a task of
   * many files has one open at a time.
   *
   * @param mostRows the most rows of a batch
   * @return empty if only Iceberg can read the file
   */
  static Optional<FileBatches> of(
      PlannedFiles planned, FileScanTask task, ChecksumVerification checks, int mostRows)
      throws IOException {
    InputAdapter input = new InputAdapter(planned.file(task).input());
    try (ParquetFileReader file = ParquetReaders.open(input, checks, task.start(), task.length())) {
      ParquetMetadata footer = file.getFooter();
      boolean hasPositions =
          footer.getBlocks().stream().allMatch(block -> block.getRowIndexOffset() >= 0);
      return hasPositions
          ? FileColumn.of(planned, task, footer.getFileMetaData().getSchema())
              .map(
                  columns ->
                      new FileBatches(planned, task, input, checks, footer, columns, mostRows))
          : Optional.empty();
    } finally {
      input.release();
    }
  }

  /** Returns the file, for errors. */
  TableFile source() {
    return planned.file(task);
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
    ParquetFileReader open = file == null ? start() : file;
    while (left > 0 || startGroup(open)) {
      int rows = (int) Math.min(left, rowsAtOnce);
      for (VectorReader reader : readers) {
        Objects.requireNonNull(group).decode(reader.descriptor(), () -> reader.read(rows));
      }
      rowsAtOnce = Math.min(capacity, rowsAfter(rows));
      batch = live(rows);
      position += rows;
      left -= rows;
      if (batch.numRows() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many rows of variable length to read after {@code rows} of them. */
  private int rowsAfter(int rows) {
    long bytes = readers.stream().mapToLong(VectorReader::variableBytes).sum();
    return (int) Math.max(1, Math.min(2L * rows, rows * BATCH_BYTES / Math.max(1, bytes)));
  }

  private ParquetFileReader start() throws IOException {
    ParquetFileReader opened = open();
    file = opened;
    capacity = capacity(opened.getRowGroups());
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
    // lengths of strings behind a dictionary are known only when they are read
    boolean isFixed = readers.stream().allMatch(VectorReader::isFixedWidth);
    rowsAtOnce = isFixed ? capacity : Math.min(capacity, FIRST_ROWS);
    opened.setRequestedSchema(descriptors());
    deleted =
        DeletedPositions.read(
            planned.table().name(), planned.io(), task.deletes(), task.file().location());
    return opened;
  }

  private ParquetFileReader open() throws IOException {
    Optional<FilterPredicate> wanted =
        RowGroupPredicate.of(
            task.residual(),
            planned.projection(),
            planned.isCaseSensitive(),
            footer.getFileMetaData().getSchema());
    if (wanted.isPresent()) {
      try {
        return ParquetReaders.open(input, checks, footer, wanted.get());
      } catch (RuntimeException e) {
        input.release(); // all row groups are read, and Spark filters their rows
      }
    }
    return ParquetReaders.open(input, checks, footer);
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
  private int capacity(List<BlockMetaData> groups) {
    Map<ColumnPath, Integer> widths = new HashMap<>();
    for (FileColumn column : columns) {
      VectorColumn stored = column.stored();
      if (stored != null) {
        widths.put(ColumnPath.get(stored.descriptor().getPath()), stored.element().width());
      }
    }
    double most = 1;
    for (BlockMetaData block : groups) {
      double bytes = 0;
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        Integer width = widths.get(chunk.getPath());
        if (width != null) {
          bytes += Math.max(chunk.getTotalUncompressedSize(), chunk.getValueCount() * width);
        }
      }
      most = Math.max(most, bytes / Math.max(1, block.getRowCount()));
    }
    return (int) Math.max(1, Math.min(mostRows, BATCH_BYTES / most));
  }

  private boolean startGroup(ParquetFileReader open) throws IOException {
    closePages();
    if (nextGroup == open.getRowGroups().size()) {
      return false;
    }
    int ordinal = nextGroup++;
    BlockMetaData block = open.getRowGroups().get(ordinal);
    left = block.getRowCount();
    position = block.getRowIndexOffset();
    if (left > 0 && !readers.isEmpty()) {
      RowGroupReader read = new RowGroupReader(input.toString(), open, ordinal, descriptors());
      group = read;
      PageReadStore opened = read.pages(() -> open.readRowGroup(ordinal));
      pages = opened;
      for (VectorReader reader : readers) {
        read.decode(reader.descriptor(), () -> reader.start(opened));
      }
    }
    return left > 0 || startGroup(open);
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
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      input.release();
    }
  }
}
