/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows that Iceberg reads, copied to batches: all partitions of a scan are read in one form. */
final class CopiedRows implements PartitionReader<ColumnarBatch> {
  /**
   * Elements of lists and bytes of strings that a batch has at least, unless it has all its rows.
   */
  private static final long FULL = 1 << 18;

  private final PartitionReader<InternalRow> rows;
  private final RowToColumnConverter converter;
  private final OnHeapColumnVector[] vectors;
  private final int mostRows;
  private int count;

  /**
   * @param mostRows the most rows of a batch
   */
  CopiedRows(PartitionReader<InternalRow> rows, StructType schema, int mostRows) {
    this.rows = rows;
    this.converter = new RowToColumnConverter(schema);
    this.vectors = OnHeapColumnVector.allocateColumns(mostRows, schema);
    this.mostRows = mostRows;
  }

  @Override
  public boolean next() throws IOException {
    count = 0;
    for (WritableColumnVector vector : vectors) {
      vector.reset();
    }
    while (count < mostRows && !isFull() && rows.next()) {
      converter.convert(rows.get(), vectors);
      count++;
    }
    return count > 0;
  }

  private boolean isFull() {
    long elements = 0;
    for (WritableColumnVector vector : vectors) {
      elements += elements(vector);
    }
    return elements > FULL;
  }

  private static long elements(WritableColumnVector vector) {
    DataType type = vector.dataType();
    boolean hasMore =
        type instanceof ArrayType
            || type.equals(DataTypes.StringType)
            || type.equals(DataTypes.BinaryType);
    return vector.getElementsAppended() + (hasMore ? elements(vector.getChild(0)) : 0);
  }

  @Override
  public ColumnarBatch get() {
    ColumnVector[] columns = vectors;
    return new ColumnarBatch(columns, count);
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return rows.currentMetricsValues();
  }

  @Override
  public void initMetricsValues(CustomTaskMetric[] metrics) {
    rows.initMetricsValues(metrics);
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
