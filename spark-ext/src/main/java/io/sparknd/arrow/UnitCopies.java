/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;

/** Bulk copies between typed Java arrays and Arrow's little-endian memory, bit for bit. */
final class UnitCopies {
  /** Few enough units for the {@code int} sizes of a ByteBuffer. */
  private static final int STEP = 1 << 26;

  private UnitCopies() {}

  /** Copies {@code units} units of {@code array} from {@code from} on to the unit {@code at}. */
  static void toArrow(
      Storage storage, Object array, int from, int units, ArrowBuf target, long at) {
    for (int done = 0; done < units; ) {
      int step = Math.min(STEP, units - done);
      put(storage, array, from + done, step, view(storage, target, at + done, step));
      done += step;
    }
  }

  /**
   * Copies the first {@code units} units of {@code source} to {@code array}, from {@code to} on.
   */
  static void fromArrow(Storage storage, ArrowBuf source, Object array, int to, int units) {
    for (int done = 0; done < units; ) {
      int step = Math.min(STEP, units - done);
      get(storage, view(storage, source, done, step), array, to + done, step);
      done += step;
    }
  }

  private static ByteBuffer view(Storage storage, ArrowBuf buffer, long at, int units) {
    return buffer
        .nioBuffer(at * storage.bytes(), units * storage.bytes())
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(Storage storage, Object array, int from, int units, ByteBuffer target) {
    switch (storage) {
      case BYTE -> target.put((byte[]) array, from, units);
      case SHORT -> target.asShortBuffer().put((short[]) array, from, units);
      case INT -> target.asIntBuffer().put((int[]) array, from, units);
      case LONG -> target.asLongBuffer().put((long[]) array, from, units);
      case FLOAT -> target.asFloatBuffer().put((float[]) array, from, units);
      case DOUBLE -> target.asDoubleBuffer().put((double[]) array, from, units);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }

  private static void get(Storage storage, ByteBuffer source, Object array, int to, int units) {
    switch (storage) {
      case BYTE -> source.get((byte[]) array, to, units);
      case SHORT -> source.asShortBuffer().get((short[]) array, to, units);
      case INT -> source.asIntBuffer().get((int[]) array, to, units);
      case LONG -> source.asLongBuffer().get((long[]) array, to, units);
      case FLOAT -> source.asFloatBuffer().get((float[]) array, to, units);
      case DOUBLE -> source.asDoubleBuffer().get((double[]) array, to, units);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }
}
