/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the live rows of blocks as Spark rows. A row is valid only until the next one is
 * requested.
 */
public final class TensorTableRows implements Iterator<InternalRow> {
  private final StoredTensor tensor;
  private final Iterator<BlockFiles> blocks;
  private final SliceRow row;
  private @Nullable BlockFiles block;
  private @Nullable BlockRows rows;
  private int next;

  /** Iterates over the rows of {@code blocks}, block by block. */
  public TensorTableRows(StoredTensor tensor, Iterator<BlockFiles> blocks) {
    RowFormat format = tensor.format().rows();
    this.tensor = tensor;
    this.blocks = blocks;
    this.row = new SliceRow(schema(format), format.dtype(), format.slice());
  }

  /**
   * Returns the schema: bigint index columns and one column of slices, whatever the table's layout.
   */
  public static StructType schema(RowFormat format) {
    StructType schema = new StructType();
    for (String column : format.indexColumns()) {
      schema = schema.add(column, DataTypes.LongType, false);
    }
    boolean hasFeatures = format.values() instanceof ValueColumns.FeatureColumns;
    String value = hasFeatures ? "value" : format.values().names().get(0);
    return schema.add(value, SqlTypes.slice(format.dtype(), format.slice().rank()), false);
  }

  @Override
  public boolean hasNext() {
    while ((rows == null || next == rows.sorted().count()) && blocks.hasNext()) {
      block = blocks.next();
      rows = BlockRows.read(tensor, block);
      next = 0;
    }
    return rows != null && next < rows.sorted().count();
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    RowFormat format = tensor.format().rows();
    BlockRows read = Objects.requireNonNull(rows);
    long first = Objects.requireNonNull(block).block() * tensor.format().perBlock();
    long offset = first + read.sorted().rows()[next];
    int unit = read.sorted().slots()[next++] * format.units();
    return row.of(format.outer().coordinates(offset), read.payload(), unit);
  }
}
