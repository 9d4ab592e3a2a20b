/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;

/**
 * A tensor {@code [rows, units]} in the memory of a device, and index rows for it, there too. What
 * duplicates do is settled by order: of moves the last one wins, and a fold takes a row's updates
 * one after the other.
 */
final class DeviceRows implements AutoCloseable {
  private final Device device;
  private final Device.Memory target;
  private final int rows;
  private final long rowBytes;
  private Device.Memory keys;
  private int count;

  /**
   * @param target the tensor, which stays the caller's to close
   */
  DeviceRows(Device device, Device.Memory target, int rows, long rowBytes) {
    this.device = device;
    this.target = target;
    this.rows = rows;
    this.rowBytes = rowBytes;
  }

  /** Takes {@code count} index rows, each {@code 0 <= index < rows}, to the device. */
  void take(DeviceTransfer transfer, int[] indices, int count) {
    close();
    this.keys = device.memory((long) count * Integer.BYTES);
    this.count = count;
    transfer.toDevice(indices, count, keys);
  }

  /** {@code tensor_scatter_nd_update}: row {@code i} of {@code updates} goes to index row i. */
  void move(Device.Memory updates) {
    try (Device.Memory last = device.memory((long) rows * Integer.BYTES)) {
      Native.check(
          Native.move(
              target.address(),
              last.address(),
              rows,
              keys.address(),
              count,
              updates.address(),
              rowBytes,
              device.stream()),
          "move");
      device.await();
    }
  }

  /**
   * {@code tensor_scatter_nd_add} and its like.
   *
   * @param step a reduction that is its own {@link Reduction#step}, not {@link Reduction#NONE}
   * @param width elements of a row
   */
  void fold(DType dtype, Reduction step, Device.Memory updates, int width) {
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(rows - 1));
    long ints = (long) count * Integer.BYTES;
    long scratchBytes = Math.max(1, Native.sortScratch(count, bits));
    try (Device.Memory numbers = device.memory(ints);
        Device.Memory sorted = device.memory(ints);
        Device.Memory order = device.memory(ints);
        Device.Memory scratch = device.memory(scratchBytes)) {
      Native.check(
          Native.sort(
              keys.address(),
              numbers.address(),
              sorted.address(),
              order.address(),
              count,
              bits,
              scratch.address(),
              scratchBytes,
              device.stream()),
          "sort");
      Native.check(
          Native.fold(
              Native.number(dtype),
              Native.number(step),
              target.address(),
              sorted.address(),
              order.address(),
              count,
              updates.address(),
              width,
              device.stream()),
          "fold");
      device.await();
    }
  }

  /** {@code gather_nd}: the rows that were asked for, in their order. */
  void gather(Device.Memory result) {
    Native.check(
        Native.gather(
            target.address(), keys.address(), count, result.address(), rowBytes, device.stream()),
        "gather");
    device.await();
  }

  @Override
  public void close() {
    if (keys != null) {
      keys.close();
      keys = null;
    }
  }
}
