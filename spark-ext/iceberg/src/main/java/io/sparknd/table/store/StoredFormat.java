/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import io.sparknd.table.file.RowFormat;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;

/**
 * A tensor's table as its properties tell it.
 *
 * @param rows what a row is
 * @param rowsPerBlock entries of the first dimension that a partition of the table spans
 * @param fill what was never written: one element for all, or a row of them
 */
public record StoredFormat(RowFormat rows, long rowsPerBlock, Tensor fill) implements Serializable {

  /** Rows of the table that a full block has. */
  public long perBlock() {
    Shape outer = rows.outer();
    return rowsPerBlock * outer.from(1).elements();
  }

  /** The block that holds the row at row-major position {@code row} of the outer shape. */
  public long block(long row) {
    return row / perBlock();
  }

  /** The value of the partition column for a block. */
  public long partitionValue(long block) {
    return block * rowsPerBlock;
  }
}
