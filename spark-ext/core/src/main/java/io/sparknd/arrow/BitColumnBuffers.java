/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Buffers bools, one bit each, the lowest bit of a byte first. */
final class BitColumnBuffers extends ColumnBuffers {
  private final int capacity;
  private final byte[] bits;
  private final ArrowBuf values;
  private int units;

  BitColumnBuffers(int capacity, BufferAllocator allocator) {
    this.capacity = capacity;
    this.bits = new byte[bytes(capacity)];
    this.values = allocator.buffer(bits.length);
  }

  /** The number of bytes for {@code units} bits. */
  static int bytes(int units) {
    return units / 8 + (units % 8 == 0 ? 0 : 1);
  }

  /** Sets {@code array[to...]} to the first {@code units} bits of {@code source}. */
  static void unpack(ArrowBuf source, byte[] array, int to, int units) {
    for (int i = 0; i < units; i += 8) {
      int eight = source.getByte(i / 8);
      int count = Math.min(8, units - i);
      for (int bit = 0; bit < count; bit++) {
        array[to + i + bit] = (byte) (eight >> bit & 1);
      }
    }
  }

  @Override
  int append(Object array, int from, int to) {
    byte[] bools = (byte[]) array;
    int taken = Math.min(to - from, capacity - units);
    for (int i = 0; i < taken; i++) {
      int at = units + i;
      bits[at >>> 3] |= (byte) ((bools[from + i] == 0 ? 0 : 1) << (at & 7));
    }
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
    values.setBytes(0, bits, 0, bytes(units));
    values.writerIndex(bytes(units));
    return List.of(values);
  }

  @Override
  void clear() {
    Arrays.fill(bits, (byte) 0);
    units = 0;
  }

  @Override
  public void close() {
    values.close();
  }
}
