/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/** Slices as unsafe rows of one column, each valid until the next. */
interface SliceColumn {
  /** The row of the slice that begins at {@code unit} of {@code array}. */
  UnsafeRow row(Object array, int unit);

  /**
   * @param column schema of the rows
   */
  static SliceColumn of(StructType column, DType dtype, Shape slice) {
    UnsafeProjection projection = UnsafeProjection.create(column);
    SliceWriter writer = new SliceWriter(dtype, slice);
    SliceColumn projected =
        (array, unit) -> projection.apply(InternalRows.row(writer.value(array, unit)));
    return switch (dtype) {
      case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> new Plain(projected, dtype, slice);
      default -> projected;
    };
  }

  /**
   * Slices whose elements Spark keeps as the dtype does. All their rows are the same but for the
   * elements, which are copied as memory into a row made once.
   */
  final class Plain implements SliceColumn {
    private final byte[] bytes;
    private final UnsafeRow row = new UnsafeRow(1);
    private final int[] runs;
    private final int runBytes;
    private final int width;
    private final long arrayOffset;

    Plain(SliceColumn projected, DType dtype, Shape slice) {
      Object zeros = dtype.storage().allocate((int) slice.elements());
      this.bytes = projected.row(zeros, 0).getBytes();
      row.pointTo(bytes, bytes.length);
      this.width = dtype.storage().bytes();
      this.arrayOffset = SliceReader.arrayOffset(dtype.storage());
      int rank = slice.rank();
      this.runBytes = rank == 0 ? width : (int) slice.dim(rank - 1) * width;
      this.runs = new int[(int) slice.first(Math.max(0, rank - 1)).elements()];
      if (rank == 0) {
        runs[0] = UnsafeRow.calculateBitSetWidthInBytes(1);
      } else if (slice.elements() > 0) {
        addRuns(row.getArray(0), rank - 1, 0);
      }
    }

    /** Where the elements of the innermost arrays of {@code array} are; the next run's number. */
    private int addRuns(UnsafeArrayData array, int levels, int run) {
      if (levels == 0) {
        long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) array.numElements());
        runs[run] = (int) (array.getBaseOffset() + header - Platform.BYTE_ARRAY_OFFSET);
        return run + 1;
      }
      int next = run;
      for (int i = 0; i < array.numElements(); i++) {
        next = addRuns(array.getArray(i), levels - 1, next);
      }
      return next;
    }

    @Override
    public UnsafeRow row(Object array, int unit) {
      long from = arrayOffset + (long) unit * width;
      for (int run : runs) {
        Platform.copyMemory(array, from, bytes, Platform.BYTE_ARRAY_OFFSET + run, runBytes);
        from += runBytes;
      }
      return row;
    }
  }
}
