/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.TensorErrors;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Converts elements between little-endian bytes and arrays. Unsigned integers below uint64 and half
 * floats have no SQL type, so their arrays have the next wider dtype that has one.
 */
final class ElementBytes {
  private final DType dtype;

  /**
   * Creates a converter.
   *
   * @param dtype with elements of fixed width
   */
  ElementBytes(DType dtype) {
    this.dtype = dtype;
  }

  /** Returns the dtype whose SQL type holds these elements. */
  DType wide() {
    return switch (dtype) {
      case UINT8 -> DType.INT16;
      case UINT16 -> DType.INT32;
      case UINT32 -> DType.INT64;
      case FLOAT16, BFLOAT16 -> DType.FLOAT32;
      default -> dtype;
    };
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the elements of {@code bytes}, a whole number of them, in the dtype {@link #wide}. */
  Object decoded(byte[] bytes) {
    int count = bytes.length / dtype.bytes();
    Object target = wide().storage().allocate(count * dtype.units());
    ByteBuffer from = littleEndian(bytes);
    switch (dtype) {
      case UINT8 -> {
        for (int i = 0; i < count; i++) {
          ((short[]) target)[i] = (short) Byte.toUnsignedInt(bytes[i]);
        }
      }
      case UINT16 -> {
        for (int i = 0; i < count; i++) {
          ((int[]) target)[i] = Short.toUnsignedInt(from.getShort());
        }
      }
      case UINT32 -> {
        for (int i = 0; i < count; i++) {
          ((long[]) target)[i] = Integer.toUnsignedLong(from.getInt());
        }
      }
      case FLOAT16 -> {
        for (int i = 0; i < count; i++) {
          ((float[]) target)[i] = HalfFloats.fromFloat16(from.getShort());
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < count; i++) {
          ((float[]) target)[i] = HalfFloats.fromBfloat16(from.getShort());
        }
      }
      default -> copyTo(target, from);
    }
    return target;
  }

  private static void copyTo(Object target, ByteBuffer from) {
    if (target instanceof byte[] bytes) {
      from.get(bytes);
    } else if (target instanceof short[] shorts) {
      from.asShortBuffer().get(shorts);
    } else if (target instanceof int[] ints) {
      from.asIntBuffer().get(ints);
    } else if (target instanceof long[] longs) {
      from.asLongBuffer().get(longs);
    } else if (target instanceof float[] floats) {
      from.asFloatBuffer().get(floats);
    } else {
      from.asDoubleBuffer().get((double[]) target);
    }
  }

  /**
   * Returns the bytes of elements in the dtype {@link #wide}; half floats are also made of float64.
   *
   * @throws io.sparknd.tensor.SparkNdException if an element is out of the dtype's range
   */
  byte[] encoded(Object source, int count) {
    byte[] bytes = new byte[Math.multiplyExact(count, dtype.bytes())];
    ByteBuffer to = littleEndian(bytes);
    switch (dtype) {
      case UINT8 -> {
        for (int i = 0; i < count; i++) {
          bytes[i] = (byte) inRange(((short[]) source)[i]);
        }
      }
      case UINT16 -> {
        for (int i = 0; i < count; i++) {
          to.putShort((short) inRange(((int[]) source)[i]));
        }
      }
      case UINT32 -> {
        for (int i = 0; i < count; i++) {
          to.putInt((int) inRange(((long[]) source)[i]));
        }
      }
      case FLOAT16 -> {
        for (int i = 0; i < count; i++) {
          to.putShort(HalfFloats.toFloat16(half(source, i)));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < count; i++) {
          to.putShort(HalfFloats.toBfloat16(half(source, i)));
        }
      }
      default -> copyFrom(source, to);
    }
    return bytes;
  }

  /**
   * Returns an element such that half floats of it are rounded once.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is finite and its half float is not
   */
  private float half(Object source, int i) {
    float single = single(source, i);
    if (Float.isFinite(single) && Float.isInfinite(HalfFloats.rounded(dtype, single))) {
      throw TensorErrors.valueDoesNotFit(Array.get(source, i), dtype);
    }
    return single;
  }

  private static float single(Object source, int i) {
    return source instanceof double[] doubles
        ? HalfFloats.roundToOdd(doubles[i])
        : ((float[]) source)[i];
  }

  private long inRange(long value) {
    if (value < 0 || value >>> Byte.SIZE * dtype.bytes() != 0) {
      throw TensorErrors.valueDoesNotFit(Long.toString(value), dtype);
    }
    return value;
  }

  private static void copyFrom(Object source, ByteBuffer to) {
    if (source instanceof byte[] bytes) {
      to.put(bytes);
    } else if (source instanceof short[] shorts) {
      to.asShortBuffer().put(shorts);
    } else if (source instanceof int[] ints) {
      to.asIntBuffer().put(ints);
    } else if (source instanceof long[] longs) {
      to.asLongBuffer().put(longs);
    } else if (source instanceof float[] floats) {
      to.asFloatBuffer().put(floats);
    } else {
      to.asDoubleBuffer().put((double[]) source);
    }
  }
}
