/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;

/**
 * Hand-written loops over one row. A JVM runs one of them only, so the compiler inlines it into the
 * loop over rows.
 */
final class RowSteps {
  private RowSteps() {}

  static RowStep of(Work work) {
    return switch (work.op()) {
      case GATHER, GATHER_NEW, UPDATE -> copy(work.type().storage());
      case ADD -> add(work.type());
      case MAX -> RowSteps::max;
    };
  }

  private static RowStep copy(Storage storage) {
    return switch (storage) {
      case FLOAT ->
          (from, p, to, q, units) -> System.arraycopy((float[]) from, p, (float[]) to, q, units);
      case SHORT ->
          (from, p, to, q, units) -> System.arraycopy((short[]) from, p, (short[]) to, q, units);
      case BYTE ->
          (from, p, to, q, units) -> System.arraycopy((byte[]) from, p, (byte[]) to, q, units);
      case STRING ->
          (from, p, to, q, units) -> System.arraycopy((String[]) from, p, (String[]) to, q, units);
      case INT, LONG, DOUBLE -> throw new IllegalArgumentException(storage.toString());
    };
  }

  private static RowStep add(WorkType type) {
    return switch (type) {
      case FLOAT32 -> RowSteps::addFloats;
      case FLOAT16 -> RowSteps::addFloat16;
      case BFLOAT16 -> RowSteps::addBfloat16;
      case INT8 -> RowSteps::addBytes;
      case STRING -> throw new IllegalArgumentException("strings are not added");
    };
  }

  private static void addFloats(Object from, int p, Object to, int q, int units) {
    float[] updates = (float[]) from;
    float[] tensor = (float[]) to;
    for (int j = 0; j < units; j++) {
      tensor[q + j] += updates[p + j];
    }
  }

  private static void addFloat16(Object from, int p, Object to, int q, int units) {
    short[] updates = (short[]) from;
    short[] tensor = (short[]) to;
    for (int j = 0; j < units; j++) {
      float sum = HalfFloats.fromFloat16(tensor[q + j]) + HalfFloats.fromFloat16(updates[p + j]);
      tensor[q + j] = HalfFloats.toFloat16(sum);
    }
  }

  private static void addBfloat16(Object from, int p, Object to, int q, int units) {
    short[] updates = (short[]) from;
    short[] tensor = (short[]) to;
    for (int j = 0; j < units; j++) {
      float sum = HalfFloats.fromBfloat16(tensor[q + j]) + HalfFloats.fromBfloat16(updates[p + j]);
      tensor[q + j] = HalfFloats.toBfloat16(sum);
    }
  }

  private static void addBytes(Object from, int p, Object to, int q, int units) {
    byte[] updates = (byte[]) from;
    byte[] tensor = (byte[]) to;
    for (int j = 0; j < units; j++) {
      tensor[q + j] = (byte) (tensor[q + j] + updates[p + j]);
    }
  }

  /** The larger elements of float32 rows. */
  private static void max(Object from, int p, Object to, int q, int units) {
    float[] updates = (float[]) from;
    float[] tensor = (float[]) to;
    for (int j = 0; j < units; j++) {
      tensor[q + j] = Math.max(tensor[q + j], updates[p + j]);
    }
  }
}
