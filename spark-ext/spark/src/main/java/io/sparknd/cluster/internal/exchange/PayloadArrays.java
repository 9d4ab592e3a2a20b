/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.tensor.Storage;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Arrays for received payloads, which are used again and again, as {@link FrameBuffers} are. */
final class PayloadArrays {
  /** Smaller arrays are new ones. */
  private static final int LEAST_UNITS = 4096;

  private final List<Object> free = new ArrayList<>();

  /** Returns an array of at least so many units, with any values. */
  synchronized Object take(Storage storage, int units) {
    if (units < LEAST_UNITS) {
      return storage.allocate(units);
    }
    for (Iterator<Object> arrays = free.iterator(); arrays.hasNext(); ) {
      Object array = arrays.next();
      if (storage.holds(array) && fits(storage.length(array), units)) {
        arrays.remove();
        return array;
      }
    }
    return storage.allocate(units);
  }

  private static boolean fits(int length, int units) {
    return length >= units && length / 2 <= units;
  }

  /** Takes back the payloads of a phase, which nobody reads any more, in place of those before. */
  synchronized void replace(List<Object> payloads) {
    free.clear();
    payloads.stream().filter(array -> Array.getLength(array) >= LEAST_UNITS).forEach(free::add);
  }
}
