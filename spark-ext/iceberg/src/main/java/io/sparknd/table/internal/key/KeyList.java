/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.tensor.Storage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Encoded keys, one after the other in one array. A key is written byte by byte, then {@link #end
 * ended}. Keys that do not fit the array are an {@link ArrayLimitException}.
 */
public final class KeyList {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final int most;
  private byte[] bytes = new byte[256];
  private int[] ends = new int[16];
  private int count;
  private int size;

  public KeyList() {
    this(Storage.MAX_LENGTH);
  }

  /**
   * Creates an empty list.
   *
   * @param most the most bytes of all keys, and the most keys
   */
  KeyList(int most) {
    this.most = most;
  }

  /** Returns the number of keys. */
  public int count() {
    return count;
  }

  void write(byte value) {
    reserve(1);
    bytes[size++] = value;
  }

  void write(byte[] source, int from, int length) {
    reserve(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    if (more > bytes.length - size) {
      requireRoom((long) size + more);
      long wanted = Math.max((long) size + more, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(most, wanted));
    }
  }

  private void requireRoom(long length) {
    if (length > most) {
      throw new ArrayLimitException("keys", count + 1L);
    }
  }

  /** Ends the key that was written since the last one ended. */
  void end() {
    if (count == ends.length) {
      requireRoom(count + 1L);
      ends = Arrays.copyOf(ends, (int) Math.min(most, 2L * count));
    }
    ends[count++] = size;
  }

  /** Forgets all keys. */
  public void clear() {
    truncate(0);
  }

  /** Forgets the key that was begun, or all keys from {@code first} on. */
  void truncate(int first) {
    count = first;
    size = start(first);
  }

  /** Appends an encoded key. */
  public void add(byte[] key) {
    write(key, 0, key.length);
    end();
  }

  /** Returns whether a key of this list equals an encoded key. */
  public boolean isEqual(int key, byte[] other) {
    return Arrays.equals(bytes, start(key), ends[key], other, 0, other.length);
  }

  /** Appends a key of another list. */
  public void add(KeyList other, int key) {
    write(other.bytes, other.start(key), other.length(key));
    end();
  }

  private int start(int key) {
    return key == 0 ? 0 : ends[key - 1];
  }

  int length(int key) {
    return ends[key] - start(key);
  }

  /** Compares keys as unsigned bytes, which is the order of the key columns. */
  public int compare(int key, KeyList other, int otherKey) {
    return Arrays.compareUnsigned(
        bytes, start(key), ends[key], other.bytes, other.start(otherKey), other.ends[otherKey]);
  }

  /** Compares the first bytes of a key with all bytes of another, which may be shorter. */
  public int comparePrefix(int key, KeyList other, int prefix) {
    int length = Math.min(length(key), other.length(prefix));
    return Arrays.compareUnsigned(
        bytes,
        start(key),
        start(key) + length,
        other.bytes,
        other.start(prefix),
        other.ends[prefix]);
  }

  /**
   * Returns the index of a key of another list in this list, which must be in ascending order; if
   * this list does not contain it, {@code -1 - i}, with i the index of the first greater key.
   *
   * @param from index from which to search
   */
  public int search(int from, KeyList other, int otherKey) {
    int low = from;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, other, otherKey);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1 - low;
  }

  /** Returns a copy of an encoded key. */
  public byte[] get(int key) {
    return Arrays.copyOfRange(bytes, start(key), ends[key]);
  }

  /**
   * Returns the first eight bytes of a key as a number, zeros after its end. If such numbers of two
   * keys differ, they have the order of the keys.
   */
  public long prefix(int key) {
    int length = length(key);
    long bits = 0;
    if (length >= Long.BYTES) {
      bits = longAt(key, 0);
    } else {
      for (int i = 0; i < length; i++) {
        bits |= (at(key, i) & 0xffL) << (Long.BYTES - 1 - i) * Byte.SIZE;
      }
    }
    return bits ^ Long.MIN_VALUE; // bytes are unsigned
  }

  byte at(int key, int position) {
    return bytes[start(key) + position];
  }

  /** Returns eight bytes of a key as a big-endian number. */
  long longAt(int key, int position) {
    return (long) LONGS.get(bytes, start(key) + position);
  }

  byte[] slice(int key, int from, int to) {
    return Arrays.copyOfRange(bytes, start(key) + from, start(key) + to);
  }
}
