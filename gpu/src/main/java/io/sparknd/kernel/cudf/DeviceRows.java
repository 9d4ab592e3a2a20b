/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;

/**
 * A tensor {@code [rows, units]} and its row indices, both in device memory. Duplicates are
 * resolved by order: the last move of a row wins, and a fold applies a row's updates in order.
 */
final class DeviceRows implements AutoCloseable {
  private final Device device;
  private final Device.Memory target;
  private final int rows;
  private final long rowBytes;
  private Device.Memory keys;
  private int count;

  /**
   * @param target the tensor; the caller closes it
   */
  DeviceRows(Device device, Device.Memory target, int rows, long rowBytes) {
    this.device = device;
    this.target = target;
    this.rows = rows;
    this.rowBytes = rowBytes;
  }

  /** Copies {@code count} row indices, each in {@code [0, rows)}, to the device. */
  void take(DeviceTransfer transfer, int[] indices, int count) {
    close();
    this.keys = device.memory((long) count * Integer.BYTES);
    this.count = count;
    transfer.toDevice(indices, count, keys);
  }

  /**
   * {@code tensor_scatter_nd_update}: copies row {@code i} of {@code updates} to the row of index
   * {@code i}.
   */
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
   * {@code tensor_scatter_nd_add} and the other reductions.
   *
   * @param step a reduction that is its own {@link Reduction#step}, not {@link Reduction#NONE}
   * @param width elements per row
   */
  void fold(DType dtype, Reduction step, Device.Memory updates, int width) {
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(rows - 1));
    try (Device.Memory scratch = device.memory(Native.foldScratch(count, bits))) {
      Native.check(
          Native.fold(
              Native.number(dtype),
              Native.number(step),
              target.address(),
              keys.address(),
              count,
              bits,
              updates.address(),
              width,
              scratch.address(),
              device.stream()),
          "fold");
      device.await();
    }
  }

  /** {@code gather_nd}: copies the indexed rows, in the order of the indices. */
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
