/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.ArrayList;
import java.util.List;

/**
 * Arrays for the gradients in messages, which are used again from step to step: a new array of a
 * megabyte has to be filled with zeros and takes the place of others in the caches.
 */
final class PayloadArrays {
  private final List<float[]> arrays = new ArrayList<>();
  private int used;

  /** Returns an array of at least so many elements, with any values. */
  float[] take(int elements) {
    if (used == arrays.size()) {
      arrays.add(new float[elements]);
    } else if (arrays.get(used).length < elements) {
      arrays.set(used, new float[elements]);
    }
    return arrays.get(used++);
  }

  /** Forgets all arrays. */
  void clear() {
    arrays.clear();
    used = 0;
  }

  /** Makes all arrays available, since nobody reads the messages with them any more. */
  void release() {
    used = 0;
  }
}
