/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.ArrayList;
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

  private final List<Level> levels = new ArrayList<>();
  private Device.Memory elements;
  private int count;

  /** Appends the next level; it is closed with the rest. */
  void add(Level level) {
    levels.add(level);
  }

  /** Sets the elements; they are closed with the rest. */
  void set(Device.Memory memory, int length) {
    elements = memory;
    count = length;
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
