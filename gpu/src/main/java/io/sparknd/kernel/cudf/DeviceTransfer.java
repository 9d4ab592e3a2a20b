/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;

/** Copies rows between Java arrays and device memory through one staging buffer. */
final class DeviceTransfer implements AutoCloseable {
  /** Large enough for full bus bandwidth, small enough to be pinned. */
  private static final int MAX = 8 << 20;

  private static final int MIN = 4 << 10;

  /** The array and the position of each row. */
  interface Rows {
    Object array(int row);

    int unit(int row);

    /**
     * Returns how many rows from {@code row} on, at most {@code most}, are known to be contiguous.
     */
    default int run(int row, int most) {
      return 1;
    }
  }

  private final Device device;
  private final Storage storage;
  private final int units;
  private final int capacity;
  private final Device.Staging staging;
  private final ByteBuffer bytes; // of staging, whose native memory is costly to wrap

  /**
   * @param units units per row, at least 1
   * @param rows rows to copy at a time, if the buffer has room
   */
  DeviceTransfer(Device device, Storage storage, int units, int rows) {
    this.device = device;
    this.storage = storage;
    this.units = units;
    long bytes = (long) rows * units * storage.bytes();
    this.capacity = (int) Math.max(MIN, Math.min(MAX, bytes));
    this.staging = device.staging(capacity);
    this.bytes = staging.bytes();
  }

  /** Copies {@code count} rows contiguously to {@code target}. */
  void toDevice(Rows rows, int count, Device.Memory target) {
    each(
        rows,
        count,
        target,
        (row, from, some, at) -> storage.put(rows.array(row), rows.unit(row) + from, some, at),
        Direction.TO_DEVICE);
  }

  /** Copies {@code source} to {@code count} rows. */
  void toHost(Device.Memory source, int count, Rows rows) {
    each(
        rows,
        count,
        source,
        (row, from, some, at) -> storage.get(at, rows.array(row), rows.unit(row) + from, some),
        Direction.TO_HOST);
  }

  /** Copies {@code count} numbers to {@code target}. */
  void toDevice(int[] numbers, int count, Device.Memory target) {
    toDevice(Storage.INT, numbers, count, target);
  }

  /** Copies all numbers to new memory, which the caller must close. */
  Device.Memory toDevice(long[] numbers) {
    Device.Memory memory = device.memory((long) numbers.length * Long.BYTES);
    toDevice(Storage.LONG, numbers, numbers.length, memory);
    return memory;
  }

  private void toDevice(Storage kind, Object numbers, int count, Device.Memory target) {
    int most = capacity / kind.bytes();
    for (int done = 0; done < count; done += most) {
      int some = Math.min(most, count - done);
      kind.put(numbers, done, some, at(0));
      device.toDevice(staging, target, (long) done * kind.bytes(), some * kind.bytes());
    }
  }

  private enum Direction {
    TO_DEVICE,
    TO_HOST
  }

  /** Copies {@code units} units of a row, from {@code from} on, between its array and a buffer. */
  private interface Piece {
    void copy(int row, int from, int units, ByteBuffer at);
  }

  private void each(Rows rows, int count, Device.Memory memory, Piece piece, Direction direction) {
    long rowBytes = (long) units * storage.bytes();
    if (rowBytes > capacity) {
      for (int row = 0; row < count; row++) {
        eachPart(row, rowBytes, memory, piece, direction);
      }
      return;
    }
    int most = (int) (capacity / rowBytes);
    for (int done = 0; done < count; done += most) {
      int some = Math.min(most, count - done);
      int first = done;
      through(
          memory,
          done * rowBytes,
          (int) (some * rowBytes),
          direction,
          () -> {
            for (int i = 0; i < some; ) {
              int run = rows.run(first + i, some - i);
              piece.copy(first + i, 0, run * units, at((int) (i * rowBytes)));
              i += run;
            }
          });
    }
  }

  /** Copies a row that is longer than the staging buffer. */
  private void eachPart(
      int row, long rowBytes, Device.Memory memory, Piece piece, Direction direction) {
    int most = capacity / storage.bytes();
    for (int done = 0; done < units; done += most) {
      int some = Math.min(most, units - done);
      int from = done;
      through(
          memory,
          row * rowBytes + (long) done * storage.bytes(),
          some * storage.bytes(),
          direction,
          () -> piece.copy(row, from, some, at(0)));
    }
  }

  private void through(
      Device.Memory memory, long at, int bytes, Direction direction, Runnable pieces) {
    if (direction == Direction.TO_HOST) {
      device.toHost(memory, at, staging, bytes);
      pieces.run();
    } else {
      pieces.run();
      device.toDevice(staging, memory, at, bytes);
    }
  }

  private ByteBuffer at(int position) {
    return bytes.position(position);
  }

  @Override
  public void close() {
    staging.close();
  }
}
