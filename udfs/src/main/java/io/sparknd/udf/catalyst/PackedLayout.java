/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.columnar.ArrayMemory;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.ElementRuns;
import io.sparknd.udf.row.RunTensor;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * The layout of a nested array of fixed dimensions in Spark's memory: one block in which all arrays
 * of a level have the same length, so that every position is known in advance. Immutable.
 */
final class PackedLayout {
  private final DType dtype;
  private final Shape shape;
  private final int[] dims;

  /** Bytes of an array of each level, including the arrays inside it. */
  private final int[] sizes;

  /** The start of each innermost array's elements, in bytes from the start of the block. */
  private final int[] runStarts;

  private final ElementRuns runs;
  private final ElementRuns inBytes;

  private PackedLayout(DType dtype, Shape shape) {
    this.dtype = dtype;
    this.shape = shape;
    this.dims = Arrays.stream(shape.dims()).mapToInt(Math::toIntExact).toArray();
    this.sizes = new int[dims.length];
    for (int level = dims.length - 1; level >= 0; level--) {
      long each = isInnermost(level) ? dtype.bytes() : Long.BYTES + (long) sizes[level + 1];
      sizes[level] = Math.toIntExact(bytes(dims[level], each));
    }
    this.runStarts = new int[arrays()];
    findRuns(0, 0, 0);
    int unit = dtype.bytes();
    int last = dims[dims.length - 1];
    int[] starts = Arrays.stream(runStarts).map(place -> place / unit).toArray();
    this.runs = new ElementRuns(1, last, starts);
    this.inBytes = new ElementRuns(unit, last * unit, runStarts);
  }

  /** Returns the number of innermost arrays. */
  private int arrays() {
    int arrays = 1;
    for (int level = 0; level < dims.length - 1; level++) {
      arrays = Math.multiplyExact(arrays, dims[level]);
    }
    return arrays;
  }

  /** Records the starts of the runs from number {@code run} on and returns the next number. */
  private int findRuns(int level, int place, int run) {
    if (isInnermost(level)) {
      runStarts[run] = place + header(level);
      return run + 1;
    }
    int next = run;
    for (int i = 0; i < dims[level]; i++) {
      next = findRuns(level + 1, place + first(level) + i * sizes[level + 1], next);
    }
    return next;
  }

  /**
   * Creates the layout.
   *
   * @param dtype with elements of fixed width
   * @param shape of rank 1 or more
   */
  static PackedLayout of(DType dtype, Shape shape) {
    ValueSize.check(dtype, shape);
    return new PackedLayout(dtype, shape);
  }

  /** Returns the bytes of an array before its elements. */
  private int header(int level) {
    return UnsafeArrayData.calculateHeaderPortionInBytes(dims[level]);
  }

  /**
   * Returns the position of the first array inside an array of {@code level}, in bytes from its
   * start.
   */
  private int first(int level) {
    return header(level) + dims[level] * Long.BYTES;
  }

  /**
   * Returns the reference word of the inner array at byte {@code place} of its outer array:
   * position in the upper half, size in the lower.
   */
  private long reference(int level, int place) {
    return (long) place << Integer.SIZE | sizes[level + 1];
  }

  private boolean isInnermost(int level) {
    return level == dims.length - 1;
  }

  /**
   * Returns the bytes of arrays of elements of {@code width} bytes, or -1 if that is too large for
   * an array.
   */
  static long bytes(int width, long[] dims) {
    long each = width;
    long bytes = 0;
    for (int level = dims.length - 1; level >= 0; level--) {
      bytes = bytes(dims[level], each);
      each = bytes < 0 ? -1 : Long.BYTES + bytes;
    }
    return bytes;
  }

  /** Returns the bytes of an array of {@code length}, or -1 if that is too large for an array. */
  private static long bytes(long length, long each) {
    if (each < 0 || length > Integer.MAX_VALUE || length * each > Integer.MAX_VALUE) {
      return -1;
    }
    long padded = (length * each + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    return UnsafeArrayData.calculateHeaderPortionInBytes(length) + padded;
  }

  Shape shape() {
    return shape;
  }

  /** Whether {@code array} has this layout: these dimensions, and no nulls. */
  boolean holds(UnsafeArrayData array) {
    if (array.getSizeInBytes() != sizes[0]) {
      return false;
    }
    Object base = array.getBaseObject();
    long start = array.getBaseOffset();
    return begins(base, start) && (isInnermost(0) || holdInside(base, start, 0));
  }

  /** Whether the outermost array at {@code start} has the expected length and no nulls. */
  private boolean begins(Object base, long start) {
    long difference = Platform.getLong(base, start) ^ dims[0];
    int header = header(0);
    for (int bits = Long.BYTES; bits < header; bits += Long.BYTES) {
      difference |= Platform.getLong(base, start + bits);
    }
    return difference == 0;
  }

  /**
   * Whether the arrays inside an array of {@code level} have the expected positions and lengths,
   * and no nulls.
   */
  private boolean holdInside(Object base, long start, int level) {
    int inner = level + 1;
    int count = dims[level];
    long size = sizes[inner];
    long first = start + first(level);
    long references = start + header(level);
    long step = size << Integer.SIZE;
    if (differ(base, references, Long.BYTES, count, reference(level, first(level)), step)
        || differ(base, first, size, count, dims[inner], 0)) {
      return false;
    }
    int header = header(inner);
    for (int bits = Long.BYTES; bits < header; bits += Long.BYTES) {
      if (differ(base, first + bits, size, count, 0, 0)) {
        return false;
      }
    }
    return isInnermost(inner) || holdInsideAll(base, first, inner, count);
  }

  private boolean holdInsideAll(Object base, long start, int level, int count) {
    boolean held = true;
    for (int i = 0; i < count && held; i++) {
      held = holdInside(base, start + (long) i * sizes[level], level);
    }
    return held;
  }

  /**
   * Whether any of {@code count} words, {@code stride} bytes apart, differs from {@code expected},
   * which grows by {@code step} per word.
   */
  private static boolean differ(
      Object base, long start, long stride, int count, long expected, long step) {
    long difference = 0;
    for (int i = 0; i < count; i++) {
      difference |= Platform.getLong(base, start + i * stride) ^ (expected + i * step);
    }
    return difference != 0;
  }

  /** Whether {@link RunTensor}s are possible: there are elements, and not too many runs. */
  boolean hasRuns() {
    return shape.elements() > 0 && runStarts.length <= SliceAddresses.CAPACITY;
  }

  /** Whether Spark stores {@code array} in a {@code byte[]}, the usual case. */
  static boolean isOfBytes(UnsafeArrayData array) {
    return array.getBaseObject() instanceof byte[];
  }

  /** Returns {@code array} itself, which has this layout and {@link #isOfBytes}. */
  RunTensor bytes(UnsafeArrayData array) {
    return new RunTensor(DType.INT8, shape, array.getBaseObject(), firstByte(array), inBytes);
  }

  /**
   * Returns a copy of {@code array}, which has this layout and {@link #isOfBytes}, in the result
   * memory.
   */
  RunTensor bytes(UnsafeArrayData array, RowMemory memory) {
    Object copy = memory.result(Storage.BYTE, sizes[0]);
    System.arraycopy(array.getBaseObject(), firstByte(array), copy, 0, sizes[0]);
    return new RunTensor(DType.INT8, shape, copy, 0, inBytes);
  }

  private static int firstByte(UnsafeArrayData array) {
    return (int) (array.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
  }

  /** Returns a copy of {@code array}, which has this layout, in the result memory. */
  RunTensor result(UnsafeArrayData array, RowMemory memory) {
    return copy(array, memory.result(dtype.storage(), units()));
  }

  /** Returns a copy of {@code array}, which has this layout, in the operand memory. */
  RunTensor operand(UnsafeArrayData array, RowMemory memory) {
    return copy(array, memory.operand(dtype.storage(), units()));
  }

  private int units() {
    return sizes[0] / dtype.bytes();
  }

  private RunTensor copy(UnsafeArrayData array, Object memory) {
    Platform.copyMemory(array.getBaseObject(), array.getBaseOffset(), memory, start(), sizes[0]);
    return new RunTensor(dtype, shape, memory, 0, runs);
  }

  private long start() {
    return ArrayMemory.byteOffset(dtype.storage(), 0);
  }

  /**
   * Returns the Spark array over the memory of {@code packed}, a copy of an array of this layout.
   */
  UnsafeArrayData array(RunTensor packed) {
    return array(packed.array(), ArrayMemory.byteOffset(packed.unit().storage(), 0));
  }

  private UnsafeArrayData array(Object memory, long start) {
    UnsafeArrayData array = new UnsafeArrayData();
    array.pointTo(memory, start, sizes[0]);
    return array;
  }

  /** Returns the elements of {@code array}, which has this layout. */
  Tensor tensor(UnsafeArrayData array) {
    Tensor tensor = Tensor.zeros(dtype, shape);
    Object base = array.getBaseObject();
    long bytes = inBytes.length();
    long to = start();
    for (int place : runStarts) {
      MemoryCopies.copy(base, array.getBaseOffset() + place, tensor.array(), to, bytes);
      to += bytes;
    }
    return tensor;
  }

  /** Returns the integers of {@code array}, which has this layout, as int64. */
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
    int length = runs.length();
    int at = 0;
    for (int place : runStarts) {
      for (int i = 0; i < length; i++) {
        values[at++] = Platform.getByte(base, start + place + i);
      }
    }
  }

  private void widenShorts(Object base, long start, long[] values) {
    int length = runs.length();
    int at = 0;
    for (int place : runStarts) {
      for (int i = 0; i < length; i++) {
        values[at++] = Platform.getShort(base, start + place + (long) i * Short.BYTES);
      }
    }
  }

  private void widenInts(Object base, long start, long[] values) {
    int length = runs.length();
    if (length == 1) {
      // fast path for the common tuples of one index: no nested loop
      for (int i = 0; i < values.length; i++) {
        values[i] = Platform.getInt(base, start + runStarts[i]);
      }
      return;
    }
    int at = 0;
    for (int place : runStarts) {
      for (int i = 0; i < length; i++) {
        values[at++] = Platform.getInt(base, start + place + (long) i * Integer.BYTES);
      }
    }
  }

  /** Returns {@code tensor}, of this dtype and as many elements, as an array of this layout. */
  UnsafeArrayData pack(Tensor tensor) {
    Object memory = dtype.storage().allocate(units());
    long start = start();
    putHeaders(memory, start, 0);
    long bytes = inBytes.length();
    long from = start;
    for (int place : runStarts) {
      MemoryCopies.copy(tensor.array(), from, memory, start + place, bytes);
      from += bytes;
    }
    return array(memory, start);
  }

  private void putHeaders(Object memory, long start, int level) {
    Platform.putLong(memory, start, dims[level]);
    for (int bits = Long.BYTES; bits < header(level); bits += Long.BYTES) {
      Platform.putLong(memory, start + bits, 0);
    }
    if (isInnermost(level)) {
      return;
    }
    for (int i = 0; i < dims[level]; i++) {
      int inner = first(level) + i * sizes[level + 1];
      long place = start + header(level) + (long) i * Long.BYTES;
      Platform.putLong(memory, place, reference(level, inner));
      putHeaders(memory, start + inner, level + 1);
    }
  }
}
