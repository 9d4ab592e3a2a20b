/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;

/**
 * The format of a tensor table, as its properties describe it.
 *
 * @param rows format of a row
 * @param rowsPerBlock entries of the first dimension in a partition of the table
 * @param fill value of rows that were never written: one element for all, or a row of elements
 */
public record StoredFormat(RowFormat rows, long rowsPerBlock, Tensor fill) implements Serializable {

  /** Returns the format of a tensor with another first dimension; blocks stay as they are. */
  StoredFormat resized(long size) {
    Shape shape = rows.shape();
    return size == shape.dim(0)
        ? this
        : new StoredFormat(
            new RowFormat(
                rows.dtype(),
                NumberedAxis.withFirst(shape, size),
                rows.indexColumns(),
                rows.values()),
            rowsPerBlock,
            fill);
  }

  /** Returns the number of table rows in a full block. */
  public long perBlock() {
    Shape outer = rows.outer();
    return rowsPerBlock * outer.from(1).elements();
  }

  /** Returns the block that holds the row at offset {@code row}. */
  public long block(long row) {
    return row / perBlock();
  }

  /** Returns the value of the partition column for a block. */
  public long partitionValue(long block) {
    return block * rowsPerBlock;
  }
}
