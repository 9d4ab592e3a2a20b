/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.List;
import java.util.Objects;

/** A new column of tensors, as nested lists in device memory. */
final class NewLists implements AutoCloseable {
  /**
   * The offsets of one level.
   *
   * @param lists the number of lists; there is one more offset
   */
  record Level(Device.Memory offsets, int lists) {}

  private final List<Level> levels;
  private final int count;
  private Device.Memory elements;

  /**
   * @param levels outermost first
   * @param count the number of elements of all rows
   */
  NewLists(List<Level> levels, Device.Memory elements, int count) {
    this.levels = levels;
    this.elements = elements;
    this.count = count;
  }

  /** The levels, outermost first. */
  List<Level> levels() {
    return levels;
  }

  Device.Memory elements() {
    return elements;
  }

  /** The number of elements of all rows. */
  int count() {
    return count;
  }

  /** Returns the elements; the caller must close them. */
  Device.Memory takeElements() {
    Device.Memory taken = elements;
    elements = null;
    return taken;
  }

  /** Returns the offsets of a level; the caller must close them. */
  Device.Memory takeOffsets(int level) {
    return levels.set(level, new Level(null, 0)).offsets();
  }

  @Override
  public void close() {
    levels.stream().map(Level::offsets).filter(Objects::nonNull).forEach(Device.Memory::close);
    if (elements != null) {
      elements.close();
    }
  }
}
