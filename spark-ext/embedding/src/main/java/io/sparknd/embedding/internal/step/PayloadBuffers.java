/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.util.ArrayList;
import java.util.List;

/**
 * Arrays for the payloads of messages, which are reused from step to step: a new array of a
 * megabyte has to be filled with zeros and takes the place of others in the caches.
 */
public final class PayloadBuffers {
  private final List<float[]> arrays = new ArrayList<>();
  private int used;

  /** Returns an array of at least so many elements, with any values. */
  public float[] take(int elements) {
    if (used == arrays.size()) {
      arrays.add(new float[elements]);
    } else if (arrays.get(used).length < elements) {
      arrays.set(used, new float[elements]);
    }
    return arrays.get(used++);
  }

  /**
   * Makes the arrays of the messages available, which nobody reads any more, and releases the
   * others.
   */
  public void reuse() {
    arrays.subList(used, arrays.size()).clear();
    used = 0;
  }

  /** Releases the memory. */
  public void release() {
    arrays.clear();
    used = 0;
  }
}
