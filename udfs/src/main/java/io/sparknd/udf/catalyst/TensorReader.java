/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads the values of one argument as tensors with their own arrays. Thread-safe. */
final class TensorReader implements Serializable {
  private static final long serialVersionUID = 1;

  private final String argument;
  private final TensorType type;
  private final DType dtype;

  /** The shape of the last row; rows tend to have the shape of the previous one. */
  private transient volatile Shape last;

  private transient volatile PackedLayouts layouts;

  private TensorReader(String argument, TensorType type, DType dtype) {
    this.argument = argument;
    this.type = type;
    this.dtype = dtype;
  }

  /**
   * Returns a reader of tensors.
   *
   * @param argument its name, for messages
   */
  static TensorReader of(String argument, TensorType type) {
    return new TensorReader(argument, type, type.dtype());
  }

  /** Returns a reader of integers of any width as int64. */
  static TensorReader ofIndices(String argument, TensorType type) {
    return new TensorReader(argument, type, DType.INT64);
  }

  /**
   * Returns the tensor of a value that is not null.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is ragged or contains nulls
   */
  Tensor read(Object value) {
    if (!(type instanceof Nested nested)) {
      return shaped((InternalRow) value);
    }
    return nested.rank() == 0 ? scalar(value) : nested((ArrayData) value, nested.rank());
  }

  /** Returns whether values are nested arrays, whose shape is not known below an empty array. */
  boolean isNested() {
    return type instanceof Nested;
  }

  /** Returns the values of an argument that is one array of integers. */
  long[] longs(Object value) {
    return (long[]) read(value).array();
  }

  private Tensor nested(ArrayData array, int rank) {
    PackedLayout layout = layout(array, rank);
    if (layout != null) {
      UnsafeArrayData packed = (UnsafeArrayData) array;
      return type.dtype() == dtype ? layout.tensor(packed) : layout.widened(packed);
    }
    long[] dims = new long[rank];
    measure(array, dims);
    Shape shape = shape(dims);
    Tensor tensor = Tensor.zeros(dtype, shape);
    fill(array, dims, 0, new long[rank], tensor.array(), 0);
    return tensor;
  }

  /**
   * Returns the layout of a value that Spark stores as one block of memory, which can be copied
   * whole. Null for other values, and for arrays that are ragged or contain nulls.
   */
  PackedLayout layout(Object value) {
    return type instanceof Nested nested && nested.rank() > 0
        ? layout((ArrayData) value, nested.rank())
        : null;
  }

  private PackedLayout layout(ArrayData array, int rank) {
    if (type.dtype() == DType.STRING || !(array instanceof UnsafeArrayData packed)) {
      return null;
    }
    PackedLayouts known = layouts;
    if (known == null) {
      known = new PackedLayouts(type.dtype());
      layouts = known;
    }
    return known.of(packed, rank);
  }

  private Shape shape(long[] dims) {
    Shape shape = last;
    boolean same = shape != null && shape.rank() == dims.length;
    for (int d = 0; same && d < dims.length; d++) {
      same = shape.dim(d) == dims[d];
    }
    if (!same) {
      shape = Shape.of(dims);
      last = shape;
    }
    return shape;
  }

  /** Measures the first array of each level; dimensions below an empty array stay 0. */
  private void measure(ArrayData array, long[] dims) {
    ArrayData inner = array;
    for (int d = 0; d < dims.length; d++) {
      dims[d] = inner.numElements();
      if (dims[d] == 0) {
        return;
      }
      if (d < dims.length - 1) {
        if (inner.isNullAt(0)) {
          throw SqlErrors.nullInTensor(position(new long[d + 1], d + 1));
        }
        inner = inner.getArray(0);
      }
    }
  }

  /** Copies the elements of {@code array} and returns the position for those of the next array. */
  private int fill(ArrayData array, long[] dims, int level, long[] path, Object target, int at) {
    int length = array.numElements();
    if (length != dims[level]) {
      throw UdfErrors.ragged(
          position(path, level), length, position(new long[level], level), dims[level]);
    }
    if (level == dims.length - 1) {
      leaf(array, path, level, target, at);
      return at + length;
    }
    int next = at;
    for (int i = 0; i < length; i++) {
      path[level] = i;
      if (array.isNullAt(i)) {
        throw SqlErrors.nullInTensor(position(path, level + 1));
      }
      next = fill(array.getArray(i), dims, level + 1, path, target, next);
    }
    return next;
  }

  private void leaf(ArrayData array, long[] path, int level, Object target, int at) {
    int hole = InnermostElements.firstNull(array);
    if (hole >= 0) {
      path[level] = hole;
      throw SqlErrors.nullInTensor(position(path, level + 1));
    }
    copy(array, target, at);
  }

  private void copy(ArrayData array, Object target, int at) {
    if (type.element().isDecimal() && !(array instanceof UnsafeArrayData)) {
      InnermostElements.unscaled(array, type.element().decimal(), (long[]) target, at);
    } else if (type.dtype() == dtype) {
      InnermostElements.copy(array, dtype, target, at);
    } else {
      InnermostElements.widen(array, type.dtype(), (long[]) target, at);
    }
  }

  private String position(long[] path, int length) {
    return argument + (length == 0 ? "" : Arrays.toString(Arrays.copyOf(path, length)));
  }

  private Tensor shaped(InternalRow row) {
    if (row.isNullAt(0) || row.isNullAt(1)) {
      throw SqlErrors.nullInTensor(argument + (row.isNullAt(0) ? ".shape" : ".values"));
    }
    ArrayData dims = row.getArray(0);
    ArrayData values = row.getArray(1);
    checkNoNull(dims, ".shape");
    checkNoNull(values, ".values");
    Object array = dtype.storage().allocate(values.numElements());
    copy(values, array, 0);
    return Tensor.wrap(dtype, shape(dims.toLongArray()), array);
  }

  private void checkNoNull(ArrayData array, String field) {
    int hole = InnermostElements.firstNull(array);
    if (hole >= 0) {
      throw SqlErrors.nullInTensor(argument + field + "[" + hole + "]");
    }
  }

  private Tensor scalar(Object value) {
    Shape scalar = Shape.of();
    if (value instanceof UTF8String string) {
      return Tensor.of(scalar, InnermostElements.string(string));
    }
    return Tensor.fill(
        dtype, scalar, value instanceof Decimal decimal ? decimal.toUnscaledLong() : value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorReader that
        && argument.equals(that.argument)
        && type.equals(that.type)
        && dtype == that.dtype;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }
}
