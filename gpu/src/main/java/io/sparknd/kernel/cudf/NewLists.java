/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.List;
import java.util.Objects;

/** A column of tensors that was made here, as lists in the memory of a device. */
final class NewLists implements AutoCloseable {
  /**
   * Offsets of one level.
   *
   * @param lists how many lists; there is one offset more
   */
  record Level(Device.Memory offsets, int lists) {}

  private final List<Level> levels;
  private final int count;
  private Device.Memory elements;

  /**
   * @param levels the outermost first
   * @param count how many elements all rows have
   */
  NewLists(List<Level> levels, Device.Memory elements, int count) {
    this.levels = levels;
    this.elements = elements;
    this.count = count;
  }

  /** The outermost first. */
  List<Level> levels() {
    return levels;
  }

  Device.Memory elements() {
    return elements;
  }

  /** How many elements all rows have. */
  int count() {
    return count;
  }

  /** The elements, from now on the caller's to close. */
  Device.Memory takeElements() {
    Device.Memory taken = elements;
    elements = null;
    return taken;
  }

  /** The offsets of a level, from now on the caller's to close. */
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
