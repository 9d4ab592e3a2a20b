/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.parquet.SliceFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The batches of one file: page by page, and by Spark's own reader from the first row on that is
 * not as it should be. Elements are {@link ColumnarBatch}es, as Spark's scans have it.
 */
final class PageBatches extends AbstractIterator<Object> implements Closeable {
  private final SliceFile file;
  private final List<SliceFile.Column> columns;
  private final StructType schema;
  private final int most;
  private final Supplier<Iterator<?>> usual;
  private Iterator<?> rest;
  private long done;
  private Object next;

  /**
   * @param schema of the columns
   * @param most rows in a batch
   * @param usual what Spark's own reader makes of the same file
   */
  PageBatches(
      SliceFile file,
      List<SliceFile.Column> columns,
      StructType schema,
      int most,
      Supplier<Iterator<?>> usual) {
    this.file = file;
    this.columns = columns;
    this.schema = schema;
    this.most = most;
    this.usual = usual;
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
    return next != null || rest.hasNext();
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object batch = next == null ? rest.next() : next;
    next = null;
    return batch;
  }

  private void read() throws IOException {
    switch (file.step(most)) {
      case ROWS -> {
        next = batch();
        done += file.rows();
      }
      case END -> {
        file.close();
        rest = scala.collection.Iterator.empty();
      }
      case ODD -> {
        file.close();
        skip();
      }
    }
  }

  private ColumnarBatch batch() {
    ColumnVector[] vectors = new ColumnVector[columns.size()];
    for (int i = 0; i < vectors.length; i++) {
      SliceFile.Column column = columns.get(i);
      Object values = file.values(i);
      vectors[i] =
          column.slice().rank() == 0
              ? SliceVector.plain(schema.apply(i).dataType(), file.rows(), values)
              : new SliceVector(schema.apply(i).dataType(), column.slice(), file.rows(), values);
    }
    return new ColumnarBatch(vectors, file.rows());
  }

  /** Leaves out what has been read. */
  private void skip() {
    rest = usual.get();
    long skipped = 0;
    while (skipped < done) {
      ColumnarBatch batch = (ColumnarBatch) rest.next();
      if (skipped + batch.numRows() > done) {
        next = after(batch, (int) (done - skipped));
      }
      skipped += batch.numRows();
    }
  }

  /** The rows of {@code batch} after the first {@code skipped}. */
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
