/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.Storage;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Buffers numbers, copied in bulk. */
final class FixedWidthColumnBuffers extends ColumnBuffers {
  private final Storage storage;
  private final int capacity;
  private final ArrowBuf values;
  private int units;

  FixedWidthColumnBuffers(Storage storage, int capacity, BufferAllocator allocator) {
    this.storage = storage;
    this.capacity = capacity;
    this.values = allocator.buffer((long) capacity * storage.bytes());
  }

  @Override
  int append(Object array, int from, int to) {
    int taken = Math.min(to - from, capacity - units);
    UnitCopies.toArrow(storage, array, from, taken, values, units);
    units += taken;
    return taken;
  }

  @Override
  boolean isFull() {
    return units == capacity;
  }

  @Override
  int units() {
    return units;
  }

  @Override
  List<ArrowBuf> buffers() {
    values.writerIndex((long) units * storage.bytes());
    return List.of(values);
  }

  @Override
  void clear() {
    units = 0;
  }

  @Override
  public void close() {
    values.close();
  }
}
