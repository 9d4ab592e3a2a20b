/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The element type of a benchmark's tensors. Its elements stand for small integers. */
enum WorkType {
  FLOAT32(DType.FLOAT32, 1 << 24),
  FLOAT16(DType.FLOAT16, 1 << 11),
  BFLOAT16(DType.BFLOAT16, 1 << 8),
  /** Sums wrap around, for every peer. */
  INT8(DType.INT8, Integer.MAX_VALUE),
  STRING(DType.STRING, 15);

  /** Short enough to be kept in place by the string types of ONNX Runtime and TensorFlow. */
  private static final String[] TEXTS =
      IntStream.range(0, 16).mapToObj(i -> "value-" + (1000 + i)).toArray(String[]::new);

  private final DType dtype;
  private final int exact;

  WorkType(DType dtype, int exact) {
    this.dtype = dtype;
    this.exact = exact;
  }

  DType dtype() {
    return dtype;
  }

  Storage storage() {
    return dtype.storage();
  }

  /**
   * Writes the elements that stand for {@code values} to the beginning of {@code chunk}.
   *
   * @throws IllegalStateException if the type does not have all integers up to a value
   */
  void encode(int[] values, Object chunk, int length) {
    for (int i = 0; i < length; i++) {
      if (Math.abs(values[i]) > exact) {
        throw new IllegalStateException(values[i] + " is not exact in " + dtype);
      }
      put(chunk, i, values[i]);
    }
  }

  private void put(Object chunk, int i, int value) {
    switch (this) {
      case FLOAT32 -> ((float[]) chunk)[i] = value;
      case FLOAT16 -> ((short[]) chunk)[i] = HalfFloats.toFloat16(value);
      case BFLOAT16 -> ((short[]) chunk)[i] = HalfFloats.toBfloat16(value);
      case INT8 -> ((byte[]) chunk)[i] = (byte) value;
      case STRING -> ((String[]) chunk)[i] = TEXTS[value];
    }
  }

  /** Reads the integers that the numbers at the beginning of {@code chunk} stand for. */
  void decode(Object chunk, int[] values, int length) {
    for (int i = 0; i < length; i++) {
      values[i] = value(chunk, i);
    }
  }

  private int value(Object chunk, int i) {
    return switch (this) {
      case FLOAT32 -> (int) ((float[]) chunk)[i];
      case FLOAT16 -> (int) HalfFloats.fromFloat16(((short[]) chunk)[i]);
      case BFLOAT16 -> (int) HalfFloats.fromBfloat16(((short[]) chunk)[i]);
      case INT8 -> ((byte[]) chunk)[i];
      case STRING -> throw new IllegalStateException("strings are not added");
    };
  }

  /** Whether {@code array} has the first elements of {@code chunk} from {@code from} on. */
  boolean matches(Object chunk, Object array, int from, int length) {
    int to = from + length;
    return switch (storage()) {
      case FLOAT -> Arrays.equals((float[]) chunk, 0, length, (float[]) array, from, to);
      case SHORT -> Arrays.equals((short[]) chunk, 0, length, (short[]) array, from, to);
      case BYTE -> Arrays.equals((byte[]) chunk, 0, length, (byte[]) array, from, to);
      case STRING -> Arrays.equals((String[]) chunk, 0, length, (String[]) array, from, to);
      case INT, LONG, DOUBLE -> throw new IllegalStateException(storage().toString());
    };
  }
}
