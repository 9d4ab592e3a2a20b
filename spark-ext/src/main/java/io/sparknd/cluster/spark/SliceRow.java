/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.types.StructType;

/** A row of index columns and a slice, filled again and again. */
public final class SliceRow {
  private final SpecificInternalRow row;
  private final SliceWriter writer;
  private final int depth;

  /**
   * @param schema bigint columns, then one of the slice
   */
  public SliceRow(StructType schema, DType dtype, Shape slice) {
    this.row = new SpecificInternalRow(schema);
    this.writer = new SliceWriter(dtype, slice);
    this.depth = schema.length() - 1;
  }

  /**
   * The row of the slice at {@code index}, which begins at {@code unit} of {@code array}.
   *
   * @return the same row every time, valid until the next call
   */
  public InternalRow of(long[] index, Object array, int unit) {
    for (int d = 0; d < depth; d++) {
      row.setLong(d, index[d]);
    }
    writer.write(array, unit, row, depth);
    return row;
  }
}
