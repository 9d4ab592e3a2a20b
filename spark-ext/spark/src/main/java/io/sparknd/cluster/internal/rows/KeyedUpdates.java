/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * Decodes updates of slices with keys in place of offsets, in the rows of one partition. A key is
 * any integer, so none is left to mark a dropped row: chunks hold usable rows only.
 */
public final class KeyedUpdates implements Iterator<NumberedRows> {
  private final int partition;
  private final Iterator<InternalRow> rows;
  private final RowNames names;
  private final DataType keyType;
  private final RowValue value;
  private final RowErrorSink rowErrors;
  private long row = -1;
  private boolean failed;

  private KeyedUpdates(
      int partition,
      Iterator<InternalRow> rows,
      RowNames names,
      DataType keyType,
      RowValue value,
      RowErrorSink rowErrors) {
    this.partition = partition;
    this.rows = rows;
    this.names = names;
    this.keyType = keyType;
    this.value = value;
    this.rowErrors = rowErrors;
  }

  /**
   * Returns the updates in {@code rows}.
   *
   * @param columns one index column, the keys
   * @param rowErrors receives the first unusable row of each partition
   * @return chunks whose numbers are keys
   * @throws SparkNdException if the columns are missing or of the wrong type
   */
  public static JavaRDD<NumberedRows> of(
      DType dtype, Shape slice, Dataset<Row> rows, TensorColumns columns, RowErrorSink rowErrors) {
    Dataset<Row> selected = RowColumns.updates(rows, columns, dtype, slice);
    DataType keyType = selected.schema().apply(0).dataType();
    int levels = RowColumns.levels(selected.schema().apply(1).dataType());
    RowValue value =
        new SliceValue(
            1,
            new SliceReader(dtype, slice, levels),
            new SliceColumns(dtype, slice, levels),
            dtype.storage(),
            (int) slice.elements() * dtype.units());
    RowNames names = RowNames.of(selected.schema(), List.of(0));
    return InternalRows.of(selected)
        .mapPartitionsWithIndex(
            (partition, some) ->
                new KeyedUpdates(partition, some, names, keyType, value, rowErrors),
            false);
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int most = value.capacity();
    long[] keys = new long[most];
    Object payload = value.allocate(most);
    int count = 0;
    while (count < most && rows.hasNext()) {
      count += read(rows.next(), keys, payload, count) ? 1 : 0;
    }
    return new NumberedRows(keys, count, payload);
  }

  /** Reads {@code next} to position {@code at}; returns whether it is usable. */
  private boolean read(InternalRow next, long[] keys, Object payload, int at) {
    row++;
    if (next.isNullAt(0)) {
      reject(ClusterErrors.nullIndex(names.row(partition, row), names.columns().get(0)));
      return false;
    }
    keys[at] = InternalRows.integer(next, 0, keyType);
    String problem = value.read(next, payload, at);
    if (problem != null) {
      reject(ClusterErrors.badValue(names.row(partition, row), "[" + keys[at] + "]", problem));
    }
    return problem == null;
  }

  /** Reports the first unusable row only, since rows come in ascending order. */
  private void reject(SparkNdException error) {
    if (!failed) {
      rowErrors.add(new RowErrors.RowError(partition, row, error));
    }
    failed = true;
  }
}
