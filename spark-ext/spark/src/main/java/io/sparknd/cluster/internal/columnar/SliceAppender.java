/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Appends a slice to rows as one more column. Use one instance per task; a returned row is valid
 * until the next.
 */
public abstract class SliceAppender {
  private final UnsafeRow left;

  private SliceAppender(int columns) {
    this.left = new UnsafeRow(columns);
  }

  /**
   * Returns an appender for rows and slices of these types.
   *
   * @param rows columns of the rows that slices are appended to
   * @param value SQL type of a slice
   */
  public static SliceAppender of(StructType rows, DataType value, DType dtype, Shape slice) {
    StructType column = new StructType().add("value", value, false);
    UnsafeRowJoiner joiner = GenerateUnsafeRowJoiner.create(rows, column);
    UnsafeProjection projection = UnsafeProjection.create(column);
    SliceWriter writer = new SliceWriter(dtype, slice);
    if (!SliceTemplate.isFor(dtype)) {
      return new Joined(
          rows.length(),
          joiner,
          (array, unit) -> projection.apply(InternalRows.row(writer.value(array, unit))));
    }
    Object zeros = dtype.storage().allocate((int) slice.elements());
    UnsafeRow right = projection.apply(InternalRows.row(writer.value(zeros, 0)));
    if (hasFixedLength(rows)) {
      return new InPlace(rows.length(), joiner, right, dtype, slice);
    }
    SliceTemplate template = new SliceTemplate(right, 0, dtype, slice);
    return new Joined(
        rows.length(),
        joiner,
        (array, unit) -> {
          template.putSlice(array, unit);
          return template.row();
        });
  }

  private static boolean hasFixedLength(StructType rows) {
    return Arrays.stream(rows.fields())
        .map(StructField::dataType)
        .allMatch(UnsafeRow::isFixedLength);
  }

  /** Returns {@code row} of a query with the slice that begins at {@code unit} of {@code array}. */
  public final InternalRow append(InternalRow row, Object array, int unit) {
    return append((UnsafeRow) row, array, unit);
  }

  /**
   * Returns the row in bytes {@code [from, to)} of {@code rows} with the slice that begins at
   * {@code unit} of {@code array}.
   */
  public final InternalRow append(byte[] rows, int from, int to, Object array, int unit) {
    left.pointTo(rows, Platform.BYTE_ARRAY_OFFSET + (long) from, to - from);
    return append(left, array, unit);
  }

  abstract UnsafeRow append(UnsafeRow row, Object array, int unit);

  /** Joins rows of varying length with slices as rows of their own. */
  private static final class Joined extends SliceAppender {
    /** Converts a slice to a row of one column. */
    private interface SliceRow {
      UnsafeRow of(Object array, int unit);
    }

    private final UnsafeRowJoiner joiner;
    private final SliceRow slices;

    Joined(int columns, UnsafeRowJoiner joiner, SliceRow slices) {
      super(columns);
      this.joiner = joiner;
      this.slices = slices;
    }

    @Override
    UnsafeRow append(UnsafeRow row, Object array, int unit) {
      return joiner.join(row, slices.of(array, unit));
    }
  }

  /** Writes rows of one length over the last one. */
  private static final class InPlace extends SliceAppender {
    private final SliceTemplate template;
    private final int nullWords;
    private final int columns;
    private final int firstColumn;

    InPlace(int columns, UnsafeRowJoiner joiner, UnsafeRow right, DType dtype, Shape slice) {
      super(columns);
      int nullBytes = UnsafeRow.calculateBitSetWidthInBytes(columns);
      UnsafeRow zeros = new UnsafeRow(columns);
      int length = nullBytes + columns * Long.BYTES;
      zeros.pointTo(new byte[length], length);
      this.template = new SliceTemplate(joiner.join(zeros, right), columns, dtype, slice);
      this.nullWords = nullBytes / Long.BYTES;
      this.columns = columns;
      this.firstColumn = UnsafeRow.calculateBitSetWidthInBytes(columns + 1);
    }

    @Override
    UnsafeRow append(UnsafeRow row, Object array, int unit) {
      Object base = row.getBaseObject();
      long from = row.getBaseOffset();
      template.putWords(base, from, 0, nullWords);
      template.putWords(base, from + (long) nullWords * Long.BYTES, firstColumn, columns);
      template.putSlice(array, unit);
      return template.row();
    }
  }
}
