/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.tensor.Storage;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The elements of a result, row-major, which are read in chunks. */
interface ResultElements {
  /** The number of elements. */
  int length();

  /** Copies the elements {@code [from, from + length)} to the beginning of {@code chunk}. */
  void read(int from, Object chunk, int length);

  /** Returns the elements of a Java array. */
  static ResultElements of(Object array) {
    return new InArray(array);
  }

  /** Returns the elements of a buffer in native byte order. */
  static ResultElements of(Storage storage, ByteBuffer buffer) {
    return new InBuffer(storage, buffer);
  }

  /** Elements of a Java array. */
  record InArray(Object array) implements ResultElements {
    @Override
    public int length() {
      return Array.getLength(array);
    }

    @Override
    public void read(int from, Object chunk, int length) {
      System.arraycopy(array, from, chunk, 0, length);
    }
  }

  /** Elements of a buffer. */
  record InBuffer(Storage storage, ByteBuffer buffer) implements ResultElements {
    @Override
    public int length() {
      return buffer.limit() / storage.bytes();
    }

    @Override
    public void read(int from, Object chunk, int length) {
      ByteBuffer source = buffer.duplicate().order(ByteOrder.nativeOrder());
      storage.get(source.position(from * storage.bytes()), chunk, 0, length);
    }
  }
}
