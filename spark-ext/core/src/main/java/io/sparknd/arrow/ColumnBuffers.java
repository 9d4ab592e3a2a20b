/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Buffers the elements of the current record batch in Arrow's layout. */
abstract sealed class ColumnBuffers implements AutoCloseable
    permits BitColumnBuffers, FixedWidthColumnBuffers, StringColumnBuffers {
  /** Bytes at which a batch is written, unless one row is larger. */
  static final int TARGET_BYTES = 1 << 20;

  /**
   * Creates an empty batch for rows of {@code cellUnits > 0} units.
   *
   * @param totalUnits the units of the whole tensor
   */
  static ColumnBuffers of(DType dtype, int cellUnits, long totalUnits, BufferAllocator allocator) {
    if (dtype == DType.STRING) {
      return new StringColumnBuffers(cellUnits, allocator);
    }
    int unitBits = dtype == DType.BOOL ? 1 : 8 * dtype.storage().bytes();
    long rows = Math.max(1, 8L * TARGET_BYTES / unitBits / cellUnits);
    int units = (int) Math.min(totalUnits, rows * cellUnits);
    return dtype == DType.BOOL
        ? new BitColumnBuffers(units, allocator)
        : new FixedWidthColumnBuffers(dtype.storage(), units, allocator);
  }

  /** Copies units {@code [from, to)} of {@code array} while there is room; returns how many. */
  abstract int append(Object array, int from, int to);

  /** Whether the batch is due to be written; true only at row boundaries. */
  abstract boolean isFull();

  /** The number of units in the batch. */
  abstract int units();

  /** The element buffers without the (absent) validity buffer; this object still owns them. */
  abstract List<ArrowBuf> buffers();

  /** Empties the batch. */
  abstract void clear();

  @Override
  public abstract void close();
}
