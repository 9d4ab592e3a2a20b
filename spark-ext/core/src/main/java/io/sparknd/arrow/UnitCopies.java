/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;

/** Bulk copies between typed Java arrays and Arrow's little-endian memory, bit for bit. */
final class UnitCopies {
  /** Units per step, few enough for the {@code int} byte size of a ByteBuffer. */
  private static final int STEP = 1 << 26;

  private UnitCopies() {}

  /** Copies {@code units} units of {@code array} from {@code from} on to unit {@code at}. */
  static void toArrow(
      Storage storage, Object array, int from, int units, ArrowBuf target, long at) {
    for (int done = 0; done < units; ) {
      int step = Math.min(STEP, units - done);
      storage.put(array, from + done, step, view(storage, target, at + done, step));
      done += step;
    }
  }

  /** Copies the first {@code units} units of {@code source} to {@code array} from {@code to} on. */
  static void fromArrow(Storage storage, ArrowBuf source, Object array, int to, int units) {
    for (int done = 0; done < units; ) {
      int step = Math.min(STEP, units - done);
      storage.get(view(storage, source, done, step), array, to + done, step);
      done += step;
    }
  }

  private static ByteBuffer view(Storage storage, ArrowBuf buffer, long at, int units) {
    return buffer
        .nioBuffer(at * storage.bytes(), units * storage.bytes())
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
