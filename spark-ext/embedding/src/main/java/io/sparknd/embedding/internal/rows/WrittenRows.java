/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Iterates over the rows in written blocks of a partition, as rows of an id and an array of
 * weights. Each row is valid only until the next one is read.
 */
public final class WrittenRows implements Iterator<InternalRow> {
  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final SliceRow filled;
  private final long[] id = new long[1];

  /** The current block; {@code row} is its next row. */
  private int block = -1;

  private int row;
  private int rows;

  public WrittenRows(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    this.partition = partition;
    this.layout = layout;
    this.directory = directory;
    this.filled = new SliceRow(schema(layout), layout.dtype(), Shape.of(layout.dim()));
  }

  public static StructType schema(RowLayout layout) {
    return new StructType()
        .add("id", DataTypes.LongType, false)
        .add("embedding", SqlTypes.slice(layout.dtype(), 1), false);
  }

  @Override
  public boolean hasNext() {
    while (row == rows && block + 1 < partition.blocks()) {
      block++;
      row = 0;
      rows = partition.block(block) == null ? 0 : partition.rowsIn(block, layout);
    }
    return row < rows;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long number = (long) block * layout.perBlock() + row;
    id[0] = directory.id(partition.index(), partition.rows().address(number));
    RowBlock written = Objects.requireNonNull(partition.block(block));
    return filled.of(id, written.weights(), row++ * layout.dim());
  }
}
