/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A reusable row of index columns and a slice. */
public final class SliceRow {
  private final UnsafeRow index;
  private final SliceAppender appender;

  /** The row with both; null if Spark stores elements in another form than the dtype. */
  private final @Nullable SliceTemplate template;

  /**
   * @param schema integer columns, then the slice column
   */
  public SliceRow(StructType schema, DType dtype, Shape slice) {
    int depth = schema.length() - 1;
    StructType indices = new StructType(Arrays.copyOf(schema.fields(), depth));
    this.appender = SliceAppender.of(indices, schema.apply(depth).dataType(), dtype, slice);
    int bytes = UnsafeRow.calculateBitSetWidthInBytes(depth) + depth * Long.BYTES;
    this.index = new UnsafeRow(depth);
    index.pointTo(new byte[bytes], bytes);
    this.template = SliceTemplate.isFor(dtype) ? template(dtype, slice) : null;
  }

  /** Returns a template in the bytes of the appender's row: slices can be large. */
  private SliceTemplate template(DType dtype, Shape slice) {
    Object zeros = dtype.storage().allocate((int) slice.elements());
    UnsafeRow row = appender.append(index, zeros, 0);
    return new SliceTemplate(row, index.numFields(), dtype, slice);
  }

  /**
   * Returns the row of the slice at {@code tuple}, which begins at {@code unit} of {@code array}.
   *
   * @param tuple no value is negative unless its column is bigint: narrower columns are written as
   *     the bytes of a long
   * @return the same row every time, valid until the next call
   */
  public InternalRow of(long[] tuple, Object array, int unit) {
    SliceTemplate whole = template;
    UnsafeRow row = whole == null ? index : whole.row();
    for (int d = 0; d < tuple.length; d++) {
      row.setLong(d, tuple[d]);
    }
    if (whole == null) {
      return appender.append(row, array, unit);
    }
    whole.putSlice(array, unit);
    return row;
  }
}
