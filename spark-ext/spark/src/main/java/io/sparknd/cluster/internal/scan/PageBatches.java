/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.columnar.SliceVector;
import io.sparknd.parquet.SliceFileReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The batches of one file, read page by page. From the first row with a null or a list of another
 * length on, Spark's own reader takes over. Elements are {@link ColumnarBatch}es, as in Spark's
 * scans.
 */
final class PageBatches extends AbstractIterator<Object> implements Closeable {
  private final SliceFileReader file;
  private final List<SliceFileReader.Column> columns;
  private final StructType schema;
  private final InternalRow partition;
  private final int most;
  private final Supplier<Iterator<?>> fallback;
  private @Nullable Iterator<?> rest;
  private long rowsRead;
  private @Nullable Object next;

  /**
   * @param schema schema of the columns, then of the table's partition columns
   * @param partition values of the partition columns
   * @param most the most rows in a batch
   * @param fallback reads the same file with Spark's own reader
   */
  PageBatches(
      SliceFileReader file,
      List<SliceFileReader.Column> columns,
      StructType schema,
      InternalRow partition,
      int most,
      Supplier<Iterator<?>> fallback) {
    this.file = file;
    this.columns = columns;
    this.schema = schema;
    this.partition = partition;
    this.most = most;
    this.fallback = fallback;
  }

  @Override
  public boolean hasNext() {
    if (next == null && rest == null) {
      try {
        read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return next != null || Objects.requireNonNull(rest).hasNext();
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object batch = next == null ? Objects.requireNonNull(rest).next() : next;
    next = null;
    return batch;
  }

  private void read() throws IOException {
    switch (file.step(most)) {
      case ROWS -> {
        next = batch();
        rowsRead += file.rows();
      }
      case END -> {
        file.close();
        rest = scala.collection.Iterator.empty();
      }
      case IRREGULAR -> {
        file.close();
        skip();
      }
    }
  }

  private ColumnarBatch batch() {
    ColumnVector[] vectors = new ColumnVector[schema.size()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = i < columns.size() ? read(i) : constant(i);
    }
    return new ColumnarBatch(vectors, file.rows());
  }

  private ColumnVector read(int i) {
    SliceFileReader.Column column = columns.get(i);
    DataType type = schema.apply(i).dataType();
    return column.slice().rank() == 0
        ? SliceVector.plain(type, file.rows(), file.values(i))
        : new SliceVector(type, column.slice(), file.rows(), file.values(i));
  }

  private ColumnVector constant(int i) {
    ConstantColumnVector vector = new ConstantColumnVector(file.rows(), schema.apply(i).dataType());
    ColumnVectorUtils.populate(vector, partition, i - columns.size());
    return vector;
  }

  /** Starts Spark's own reader and skips the rows that have been read. */
  private void skip() {
    Iterator<?> batches = fallback.get();
    rest = batches;
    long skipped = 0;
    while (skipped < rowsRead) {
      ColumnarBatch batch = (ColumnarBatch) batches.next();
      if (skipped + batch.numRows() > rowsRead) {
        next = after(batch, (int) (rowsRead - skipped));
      }
      skipped += batch.numRows();
    }
  }

  /** Returns the rows of {@code batch} after the first {@code skipped}. */
  private ColumnarBatch after(ColumnarBatch batch, int skipped) {
    int rows = batch.numRows() - skipped;
    OnHeapColumnVector[] vectors = OnHeapColumnVector.allocateColumns(rows, schema);
    RowToColumnConverter converter = new RowToColumnConverter(schema);
    for (int row = skipped; row < batch.numRows(); row++) {
      InternalRow each = batch.getRow(row);
      converter.convert(each, vectors);
    }
    return new ColumnarBatch(vectors, rows);
  }

  @Override
  public void close() throws IOException {
    file.close();
    if (rest instanceof Closeable open) {
      open.close();
    }
  }
}
