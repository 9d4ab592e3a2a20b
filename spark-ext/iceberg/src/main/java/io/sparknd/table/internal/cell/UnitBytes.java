/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies array units in bulk from and to little-endian bytes of a buffer. */
public final class UnitBytes {
  private final Storage storage;
  private final ByteBuffer bytes;

  public UnitBytes(Storage storage, ByteBuffer bytes) {
    this.storage = storage;
    this.bytes = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Copies the {@code count} units at byte {@code from} to unit {@code at} of {@code target}. */
  public void read(int from, Object target, int at, int count) {
    bytes.position(from);
    switch (storage) {
      case BYTE -> bytes.get((byte[]) target, at, count);
      case SHORT -> bytes.asShortBuffer().get((short[]) target, at, count);
      case INT -> bytes.asIntBuffer().get((int[]) target, at, count);
      case LONG -> bytes.asLongBuffer().get((long[]) target, at, count);
      case FLOAT -> bytes.asFloatBuffer().get((float[]) target, at, count);
      case DOUBLE -> bytes.asDoubleBuffer().get((double[]) target, at, count);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }

  /** Copies {@code count} units from unit {@code from} of {@code source} to byte {@code at}. */
  public void write(Object source, int from, int count, int at) {
    bytes.position(at);
    switch (storage) {
      case BYTE -> bytes.put((byte[]) source, from, count);
      case SHORT -> bytes.asShortBuffer().put((short[]) source, from, count);
      case INT -> bytes.asIntBuffer().put((int[]) source, from, count);
      case LONG -> bytes.asLongBuffer().put((long[]) source, from, count);
      case FLOAT -> bytes.asFloatBuffer().put((float[]) source, from, count);
      case DOUBLE -> bytes.asDoubleBuffer().put((double[]) source, from, count);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }
}
