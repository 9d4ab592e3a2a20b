/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The elements of the record batch that is being filled, laid out as Arrow wants them. */
abstract sealed class ColumnBuffers implements AutoCloseable
    permits BitColumnBuffers, FixedWidthColumnBuffers, StringColumnBuffers {
  /** Bytes at which a batch goes out, unless one row is larger. */
  static final int TARGET_BYTES = 1 << 20;

  /**
   * An empty batch for rows of {@code cellUnits > 0} units.
   *
   * @param totalUnits units that will ever come
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

  /** Copies units of {@code array} from {@code from} on, and returns how many had room. */
  abstract int take(Object array, int from, int to);

  /** Whether the batch ought to go out now; true at row borders only. */
  abstract boolean isFull();

  /** Units taken so far. */
  abstract int units();

  /** The buffers of the elements after their (absent) validity; they stay this batch's own. */
  abstract List<ArrowBuf> buffers();

  /** Forgets what was taken. */
  abstract void clear();

  @Override
  public abstract void close();
}
