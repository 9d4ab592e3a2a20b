/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/** Buffered updates of a batch, with the slices that they apply to. */
final class PendingUpdates {
  private static final int FIRST = 1024;

  private final Storage storage;
  private final int units;
  private final int most;
  private int[] block = new int[FIRST];
  private int[] position = new int[FIRST];
  private Object updates;
  private int room;
  private int count;

  /**
   * @param units units per slice, at least 1
   * @param bytes the most bytes of a batch; a batch has at least one update
   */
  PendingUpdates(Storage storage, int units, long bytes) {
    this.storage = storage;
    this.units = units;
    long fit = Math.min(bytes / storage.bytes(), Storage.MAX_LENGTH) / units;
    this.most = (int) Math.max(1, fit);
    this.updates = storage.allocate(0);
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == most;
  }

  void clear() {
    count = 0;
  }

  /**
   * Appends slices of {@code at} from {@code from} on until the batch is full; returns the next
   * one.
   */
  int append(SliceAddresses at, int from, Object payload) {
    int some = Math.min(at.count - from, most - count);
    makeRoom(count + some);
    System.arraycopy(at.block, from, block, count, some);
    System.arraycopy(at.position, from, position, count, some);
    for (int i = from; i < from + some; ) {
      int run = run(at, i, from + some);
      System.arraycopy(payload, at.row[i], updates, count * units, run * units);
      count += run;
      i += run;
    }
    return from + some;
  }

  /** Returns the number of contiguous payload rows from {@code from} on. */
  private int run(SliceAddresses at, int from, int end) {
    int i = from + 1;
    while (i < end && at.row[i] == at.row[i - 1] + units) {
      i++;
    }
    return i - from;
  }

  private void makeRoom(int rows) {
    if (rows > room) {
      room = (int) Math.min(most, Math.max(FIRST, 2L * rows));
      block = Arrays.copyOf(block, room);
      position = Arrays.copyOf(position, room);
      Object larger = storage.allocate(room * units);
      System.arraycopy(updates, 0, larger, 0, count * units);
      updates = larger;
    }
  }

  int block(int row) {
    return block[row];
  }

  int position(int row) {
    return position[row];
  }

  Object updates() {
    return updates;
  }

  /** Copies rows {@code [from, to)} to {@code chunk} up to its capacity; returns the next row. */
  int address(int from, int to, SliceAddresses chunk) {
    int some = Math.min(SliceAddresses.CAPACITY, to - from);
    System.arraycopy(block, from, chunk.block, 0, some);
    System.arraycopy(position, from, chunk.position, 0, some);
    for (int i = 0; i < some; i++) {
      chunk.row[i] = (from + i) * units;
    }
    chunk.count = some;
    return from + some;
  }
}
