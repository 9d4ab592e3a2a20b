/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.spark.ArrayMemory;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Tensors as values of Spark.
 *
 * @param type what of
 */
record TensorWriter(TensorType type) implements Serializable {

  /** A value with memory of its own. */
  Object write(Tensor tensor) {
    Shape shape = tensor.shape();
    if (type instanceof Nested) {
      return shape.rank() == 0 ? element(tensor, 0) : array(tensor, shape);
    }
    ArrayData dims = UnsafeArrayData.fromPrimitiveArray(shape.dims());
    return new GenericInternalRow(new Object[] {dims, array(tensor, Shape.of(shape.elements()))});
  }

  private static ArrayData array(Tensor tensor, Shape shape) {
    return tensor.dtype() == DType.STRING
        ? strings((String[]) tensor.array(), shape, 0, 0)
        : new Packed(tensor, shape).array();
  }

  private static ArrayData strings(String[] values, Shape shape, int level, int at) {
    Object[] inner = new Object[(int) shape.dim(level)];
    int step = (int) shape.from(level + 1).elements();
    for (int i = 0; i < inner.length; i++) {
      inner[i] =
          level == shape.rank() - 1
              ? UTF8String.fromString(values[at + i])
              : strings(values, shape, level + 1, at + i * step);
    }
    return new GenericArrayData(inner);
  }

  private static Object element(Tensor tensor, int at) {
    Object array = tensor.array();
    return switch (tensor.dtype()) {
      case BOOL -> ((byte[]) array)[at] != 0;
      case INT8 -> ((byte[]) array)[at];
      case INT16 -> ((short[]) array)[at];
      case INT32 -> ((int[]) array)[at];
      case INT64 -> ((long[]) array)[at];
      case FLOAT32 -> ((float[]) array)[at];
      case FLOAT64 -> ((double[]) array)[at];
      case STRING -> UTF8String.fromString(((String[]) array)[at]);
      default -> throw new AssertionError(tensor.dtype());
    };
  }

  /**
   * Arrays nested in the form that Spark keeps them in, in one piece of memory: arrays of one depth
   * all have the same length, so every place is known beforehand.
   */
  private static final class Packed {
    private final Tensor tensor;
    private final int bytesPerElement;
    private final int[] dims;

    /** Bytes of an array of each level, with all inside it. */
    private final int[] sizes;

    private final byte[] memory;

    Packed(Tensor tensor, Shape shape) {
      this.tensor = tensor;
      this.bytesPerElement = tensor.dtype().bytes();
      this.dims = new int[shape.rank()];
      this.sizes = new int[dims.length];
      for (int level = dims.length - 1; level >= 0; level--) {
        dims[level] = (int) shape.dim(level);
        sizes[level] = size(level);
      }
      this.memory = new byte[sizes[0]];
    }

    private int size(int level) {
      long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) dims[level]);
      boolean innermost = level == dims.length - 1;
      long each = innermost ? bytesPerElement : Long.BYTES + (long) sizes[level + 1];
      long content = dims[level] * each;
      return Math.toIntExact(header + (content + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
    }

    ArrayData array() {
      put(0, 0, 0);
      UnsafeArrayData array = new UnsafeArrayData();
      array.pointTo(memory, Platform.BYTE_ARRAY_OFFSET, memory.length);
      return array;
    }

    /** Returns the first element of the next array. */
    private int put(int level, int place, int element) {
      int length = dims[level];
      long start = Platform.BYTE_ARRAY_OFFSET + (long) place;
      Platform.putLong(memory, start, length);
      int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
      if (level == dims.length - 1) {
        Memory.copy(
            tensor.array(),
            ArrayMemory.offset(tensor.dtype().storage(), 0) + (long) element * bytesPerElement,
            memory,
            start + header,
            (long) length * bytesPerElement);
        return element + length;
      }
      int size = sizes[level + 1];
      int inner = header + length * Long.BYTES;
      int next = element;
      for (int i = 0; i < length; i++) {
        Platform.putLong(memory, start + header + (long) i * Long.BYTES, (long) inner << 32 | size);
        next = put(level + 1, place + inner, next);
        inner += size;
      }
      return next;
    }
  }
}
