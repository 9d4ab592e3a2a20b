/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * The function {@code nd_encode(tensor, dtype)}: encodes arrays as little-endian bytes, row-major.
 */
public final class EncodeFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final DType source;
  private final int rank;

  /** The layout of the last row; rows tend to have the shape of the previous one. */
  private transient volatile Layout last;

  private record Layout(Shape shape, SliceReader reader) {}

  /**
   * Creates the function.
   *
   * @param source the dtype whose SQL type the arrays have, see {@link ElementBytes#encoded}
   * @param rank of the arrays
   */
  EncodeFunction(DType dtype, DType source, int rank) {
    super("nd_encode", DataTypes.BinaryType, dtype, source, rank);
    this.dtype = dtype;
    this.source = source;
    this.rank = rank;
  }

  @Override
  public int arity() {
    return 2;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0], row[1]);
  }

  /** Called by Spark, with the dtype as an unused argument. */
  public Object apply(Object value, Object word) {
    Layout layout = layout(value);
    int count = Math.toIntExact(layout.shape().elements());
    Object units = source.storage().allocate(count * dtype.units());
    GenericInternalRow row = new GenericInternalRow(new Object[] {value});
    String problem = layout.reader().read(row, 0, units, 0);
    if (problem != null) {
      throw UdfErrors.notEncoded(problem);
    }
    return new ElementBytes(dtype).encoded(units, count);
  }

  private Layout layout(Object value) {
    long[] dims = new long[rank];
    if (rank > 0) {
      measure((ArrayData) value, dims);
    }
    Layout layout = last;
    if (layout == null || !Arrays.equals(layout.shape().dims(), dims)) {
      Shape shape = Shape.of(dims);
      layout = new Layout(shape, new SliceReader(source, shape, rank));
      last = layout;
    }
    return layout;
  }

  /** Measures the first array of each level; dimensions below an empty array stay 0. */
  private static void measure(ArrayData array, long[] dims) {
    ArrayData inner = array;
    for (int d = 0; d < dims.length; d++) {
      dims[d] = inner.numElements();
      if (dims[d] == 0 || d == dims.length - 1 || inner.isNullAt(0)) {
        return;
      }
      inner = inner.getArray(0);
    }
  }
}
