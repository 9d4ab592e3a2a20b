/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the updated rows of a partition, as rows of an id and an array of weights. Without
 * usage, these are all rows of written blocks. Each row is valid only until the next one is read.
 */
public final class WrittenRows implements Iterator<InternalRow> {
  private final EmbeddingPartition partition;
  private final @Nullable EmbeddingPartition since;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final SliceRow filled;
  private final long[] id = new long[1];

  /** The current block; {@code row} is its next row. */
  private int block = -1;

  private int row;
  private int rows;

  /** Whether {@code row} was found to be the next one to return. */
  private boolean isFound;

  private WrittenRows(
      EmbeddingPartition partition,
      @Nullable EmbeddingPartition since,
      RowLayout layout,
      RowDirectory directory) {
    this.partition = partition;
    this.since = since;
    this.layout = layout;
    this.directory = directory;
    this.filled = new SliceRow(schema(layout), layout.dtype(), Shape.of(layout.dim()));
  }

  /** Returns all written rows. */
  public static WrittenRows of(
      EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    return new WrittenRows(partition, null, layout, directory);
  }

  /** Returns the written rows that {@code since} has not, or with other weights. */
  public static WrittenRows changed(
      EmbeddingPartition partition,
      EmbeddingPartition since,
      RowLayout layout,
      RowDirectory directory) {
    return new WrittenRows(partition, since, layout, directory);
  }

  public static StructType schema(RowLayout layout) {
    return new StructType()
        .add("id", DataTypes.LongType, false)
        .add("embedding", SqlTypes.slice(layout.dtype(), 1), false);
  }

  @Override
  public boolean hasNext() {
    while (!isFound && (row == rows || !isChanged())) {
      if (row < rows) {
        row++;
      } else if (block + 1 == partition.blocks()) {
        return false;
      } else {
        block++;
        row = 0;
        rows = partition.block(block) == null ? 0 : partition.rowsIn(block, layout);
      }
    }
    isFound = true;
    return true;
  }

  /** Returns whether the next row was updated, and differs from any earlier partition. */
  private boolean isChanged() {
    long number = (long) block * layout.perBlock() + row;
    RowBlock written = Objects.requireNonNull(partition.block(block));
    int at = written.at(number, layout.perBlock());
    return written.isUpdated(at) && (since == null || isChanged(since, number, written, at));
  }

  private boolean isChanged(EmbeddingPartition since, long number, RowBlock written, int at) {
    long before = since.rows().row(partition.rows().address(number));
    RowBlock earlier =
        before == RowIndex.ABSENT ? null : since.block((int) (before / layout.perBlock()));
    if (earlier == null) {
      return true;
    }
    int earlierAt = earlier.at(before, layout.perBlock());
    return !earlier.isUpdated(earlierAt)
        || !areSame(written.weights(), at, earlier.weights(), earlierAt);
  }

  /** Returns whether row {@code at} of arrays is row {@code otherAt} of others. */
  private boolean areSame(Object one, int at, Object other, int otherAt) {
    int dim = layout.dim();
    int from = at * dim;
    int otherFrom = otherAt * dim;
    return one instanceof float[] floats
        ? Arrays.equals(floats, from, from + dim, (float[]) other, otherFrom, otherFrom + dim)
        : Arrays.equals(
            (short[]) one, from, from + dim, (short[]) other, otherFrom, otherFrom + dim);
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    isFound = false;
    long number = (long) block * layout.perBlock() + row;
    id[0] = directory.id(partition.index(), partition.rows().address(number));
    RowBlock written = Objects.requireNonNull(partition.block(block));
    row++;
    return filled.of(id, written.weights(), written.at(number, layout.perBlock()) * layout.dim());
  }
}
