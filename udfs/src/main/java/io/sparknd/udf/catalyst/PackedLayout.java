/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.spark.ArrayMemory;
import io.sparknd.kernel.Addresses;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.RunTensor;
import io.sparknd.udf.row.Runs;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * The form that Spark keeps nested arrays of some dimensions in: one piece of memory, in which
 * arrays of one depth all have the same length, so that every place is known beforehand. Immutable.
 */
final class PackedLayout {
  private final DType dtype;
  private final Shape shape;
  private final int[] dims;

  /** Bytes of an array of each level, with all inside it. */
  private final int[] sizes;

  /** Where what is not an element is, in bytes from the start, and what is there without nulls. */
  private final int[] headerPlaces;

  private final long[] headerWords;

  /** Where the innermost arrays' elements begin, in bytes from the start. */
  private final int[] runPlaces;

  private final Runs runs;

  private PackedLayout(DType dtype, Shape shape) {
    this.dtype = dtype;
    this.shape = shape;
    this.dims = Arrays.stream(shape.dims()).mapToInt(Math::toIntExact).toArray();
    this.sizes = new int[dims.length];
    for (int level = dims.length - 1; level >= 0; level--) {
      long each = isInnermost(level) ? dtype.bytes() : Long.BYTES + (long) sizes[level + 1];
      sizes[level] = Math.toIntExact(bytes(dims[level], each));
    }
    int count = 0;
    int arrays = 1;
    for (int level = 0; level < dims.length; level++) {
      count = Math.addExact(count, Math.multiplyExact(arrays, words(level)));
      arrays = level < dims.length - 1 ? Math.multiplyExact(arrays, dims[level]) : arrays;
    }
    this.headerPlaces = new int[count];
    this.headerWords = new long[count];
    this.runPlaces = new int[arrays];
    new Walk().array(0, 0);
    int unit = dtype.bytes();
    this.runs =
        new Runs(
            dims[dims.length - 1], Arrays.stream(runPlaces).map(place -> place / unit).toArray());
  }

  /**
   * @param dtype with elements of fixed width
   * @param shape of rank 1 or more
   */
  static PackedLayout of(DType dtype, Shape shape) {
    return new PackedLayout(dtype, shape);
  }

  private static int header(int length) {
    return UnsafeArrayData.calculateHeaderPortionInBytes(length);
  }

  private boolean isInnermost(int level) {
    return level == dims.length - 1;
  }

  /** The bytes of arrays of these dimensions, or some number that no array has. */
  static long bytes(DType dtype, long[] dims) {
    long each = dtype.bytes();
    long bytes = 0;
    for (int level = dims.length - 1; level >= 0; level--) {
      bytes = bytes(dims[level], each);
      each = bytes < 0 ? -1 : Long.BYTES + bytes;
    }
    return bytes;
  }

  /** The bytes of an array of {@code length}, or -1 if that is more than arrays can have. */
  private static long bytes(long length, long each) {
    if (each < 0 || length > Integer.MAX_VALUE || length * each > Integer.MAX_VALUE) {
      return -1;
    }
    long padded = (length * each + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    return UnsafeArrayData.calculateHeaderPortionInBytes(length) + padded;
  }

  /** The words of one array that are not elements. */
  private int words(int level) {
    return header(dims[level]) / Long.BYTES + (isInnermost(level) ? 0 : dims[level]);
  }

  /** Goes through all arrays once, to say what is where. */
  private final class Walk {
    private int word;
    private int run;

    void array(int level, int place) {
      int header = header(dims[level]);
      put(place, dims[level]);
      for (int bits = Long.BYTES; bits < header; bits += Long.BYTES) {
        put(place + bits, 0);
      }
      if (isInnermost(level)) {
        runPlaces[run++] = place + header;
        return;
      }
      int size = sizes[level + 1];
      int first = header + dims[level] * Long.BYTES;
      for (int i = 0; i < dims[level]; i++) {
        int inner = first + i * size;
        put(place + header + i * Long.BYTES, (long) inner << Integer.SIZE | size);
      }
      for (int i = 0; i < dims[level]; i++) {
        array(level + 1, place + first + i * size);
      }
    }

    private void put(int place, long value) {
      headerPlaces[word] = place;
      headerWords[word++] = value;
    }
  }

  Shape shape() {
    return shape;
  }

  /** Whether {@code array} is in this form: of these dimensions, and without nulls. */
  boolean holds(UnsafeArrayData array) {
    if (array.getSizeInBytes() != sizes[0]) {
      return false;
    }
    Object base = array.getBaseObject();
    long start = array.getBaseOffset();
    long difference = 0;
    for (int i = 0; i < headerPlaces.length; i++) {
      difference |= Platform.getLong(base, start + headerPlaces[i]) ^ headerWords[i];
    }
    return difference == 0;
  }

  /** Whether {@link #runs} can serve: there are elements, and not too many runs of them. */
  boolean hasRuns() {
    return shape.elements() > 0 && runPlaces.length <= Addresses.CAPACITY;
  }

  /** A copy of {@code array}, which is in this form and stays so. */
  RunTensor runs(UnsafeArrayData array) {
    Object memory = allocate();
    Platform.copyMemory(array.getBaseObject(), array.getBaseOffset(), memory, start(), sizes[0]);
    return new RunTensor(dtype, shape, memory, runs);
  }

  private Object allocate() {
    int units = sizes[0] / dtype.bytes();
    // by name, as compilers make arrays of a known class faster than Storage.allocate can
    return switch (dtype.storage()) {
      case BYTE -> new byte[units];
      case SHORT -> new short[units];
      case INT -> new int[units];
      case LONG -> new long[units];
      case FLOAT -> new float[units];
      case DOUBLE -> new double[units];
      case STRING -> throw new AssertionError();
    };
  }

  private long start() {
    return ArrayMemory.offset(dtype.storage(), 0);
  }

  /** The array whose memory {@code packed} is. */
  UnsafeArrayData array(RunTensor packed) {
    return array(packed.array());
  }

  private UnsafeArrayData array(Object memory) {
    UnsafeArrayData array = new UnsafeArrayData();
    array.pointTo(memory, start(), sizes[0]);
    return array;
  }

  /** The elements of {@code array}, which is in this form. */
  Tensor tensor(UnsafeArrayData array) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    Object base = array.getBaseObject();
    long bytes = runBytes();
    long to = start();
    for (int place : runPlaces) {
      Memory.copy(base, array.getBaseOffset() + place, tensor.array(), to, bytes);
      to += bytes;
    }
    return tensor;
  }

  private long runBytes() {
    return (long) runs.length() * dtype.bytes();
  }

  /** The integers of {@code array}, which is in this form, as int64. */
  Tensor widened(UnsafeArrayData array) {
    long[] values = new long[Math.toIntExact(shape.elements())];
    Object base = array.getBaseObject();
    long start = array.getBaseOffset();
    switch (dtype) {
      case INT8 -> widenBytes(base, start, values);
      case INT16 -> widenShorts(base, start, values);
      case INT32 -> widenInts(base, start, values);
      default -> throw new AssertionError(dtype);
    }
    return Tensor.wrap(DType.INT64, shape, values);
  }

  private void widenBytes(Object base, long start, long[] values) {
    int at = 0;
    for (int place : runPlaces) {
      for (int i = 0; i < runs.length(); i++) {
        values[at++] = Platform.getByte(base, start + place + i);
      }
    }
  }

  private void widenShorts(Object base, long start, long[] values) {
    int at = 0;
    for (int place : runPlaces) {
      for (int i = 0; i < runs.length(); i++) {
        values[at++] = Platform.getShort(base, start + place + (long) i * Short.BYTES);
      }
    }
  }

  private void widenInts(Object base, long start, long[] values) {
    int at = 0;
    for (int place : runPlaces) {
      for (int i = 0; i < runs.length(); i++) {
        values[at++] = Platform.getInt(base, start + place + (long) i * Integer.BYTES);
      }
    }
  }

  /** {@code tensor}, of this dtype and as many elements, in this form. */
  UnsafeArrayData pack(Tensor tensor) {
    Object memory = allocate();
    long start = start();
    for (int i = 0; i < headerPlaces.length; i++) {
      Platform.putLong(memory, start + headerPlaces[i], headerWords[i]);
    }
    long bytes = runBytes();
    long from = start;
    for (int place : runPlaces) {
      Memory.copy(tensor.array(), from, memory, start + place, bytes);
      from += bytes;
    }
    return array(memory);
  }
}
