/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.arrow.ArrowWriter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.ArrowUtils;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Converts rows to Arrow batches; each batch is valid until the next is requested or the task ends.
 */
final class ArrowRows implements Iterator<ColumnarBatch>, AutoCloseable {
  private final Iterator<InternalRow> rows;
  private final BufferAllocator allocator;
  private final VectorSchemaRoot root;
  private final ArrowWriter writer;
  private final ColumnVector[] columns;
  private final int most;

  private ArrowRows(Iterator<InternalRow> rows, StructType schema, String timeZone, int most) {
    this.rows = rows;
    this.most = most > 0 ? most : Integer.MAX_VALUE;
    this.allocator =
        ArrowUtils.rootAllocator().newChildAllocator("sparknd rows", 0, Long.MAX_VALUE);
    this.root =
        VectorSchemaRoot.create(
            ArrowUtils.toArrowSchema(schema, timeZone, false, false), allocator);
    this.writer = ArrowWriter.create(root);
    this.columns =
        root.getFieldVectors().stream().map(ArrowColumnVector::new).toArray(ColumnVector[]::new);
  }

  /**
   * @param most maximum rows in a batch; 0 for no limit
   */
  static Iterator<ColumnarBatch> of(
      Iterator<InternalRow> rows, StructType schema, String timeZone, int most) {
    ArrowRows batches = new ArrowRows(rows, schema, timeZone, most);
    TaskCompletionListener close = context -> batches.close();
    TaskContext.get().addTaskCompletionListener(close);
    return batches;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    writer.reset();
    int count = 0;
    while (count < most && rows.hasNext()) {
      writer.write(rows.next());
      count++;
    }
    writer.finish();
    return new ColumnarBatch(columns, count);
  }

  @Override
  public void close() {
    root.close();
    allocator.close();
  }
}
