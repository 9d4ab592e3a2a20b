/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.tensor.Storage;

/**
 * The slices of a batch at their device addresses: in resident blocks, or in a temporary copy for
 * this batch.
 */
final class PlacedSlices implements DeviceSlices {
  private final Device device;
  private final DeviceTransfer transfer;
  private final long rowBytes;
  private final long[] addresses;
  private Device.Memory carried;

  private PlacedSlices(Device device, DeviceTransfer transfer, long rowBytes, long[] addresses) {
    this.device = device;
    this.transfer = transfer;
    this.rowBytes = rowBytes;
    this.addresses = addresses;
  }

  /**
   * Locates the slices of {@code slots} and copies those outside resident blocks to the device.
   *
   * @param blocks the resident blocks
   * @param units units per slice
   */
  static PlacedSlices of(
      Device device,
      DeviceTransfer transfer,
      BatchSlots slots,
      UsedBlocks blocks,
      Storage storage,
      int units) {
    long[] addresses = new long[slots.count()];
    int[] absent = new int[slots.count()];
    int count = 0;
    for (int slot = 0; slot < addresses.length; slot++) {
      long block = blocks.address(slots.block(slot));
      if (block == 0) {
        absent[count++] = slot;
      } else {
        addresses[slot] = block + (long) slots.unit(slot) * storage.bytes();
      }
    }
    PlacedSlices slices =
        new PlacedSlices(device, transfer, (long) units * storage.bytes(), addresses);
    slices.carry(new Some(slots, absent), count);
    return slices;
  }

  /** Copies absent slices to the device. After the allocation, nothing fails. */
  private void carry(Some rows, int count) {
    if (count > 0) {
      carried = device.memory(count * rowBytes);
      transfer.toDevice(rows, count, carried);
      for (int i = 0; i < count; i++) {
        addresses[rows.slots()[i]] = carried.address() + i * rowBytes;
      }
    }
  }

  /** Copies slice {@code keys[i]} to row {@code i} of {@code result}. */
  void gather(int[] keys, int count, Device.Memory result) {
    long[] each = new long[count];
    for (int i = 0; i < count; i++) {
      each[i] = addresses[keys[i]];
    }
    try (Device.Memory at = transfer.toDevice(each)) {
      carry(at.address(), 0, 0, result.address(), count);
    }
  }

  @Override
  public void fill(Device.Memory table) {
    try (Device.Memory at = transfer.toDevice(addresses)) {
      carry(at.address(), 0, 0, table.address(), addresses.length);
    }
  }

  @Override
  public void store(Device.Memory table) {
    try (Device.Memory at = transfer.toDevice(addresses)) {
      carry(0, table.address(), at.address(), 0, addresses.length);
    }
  }

  private void carry(long fromEach, long fromFirst, long toEach, long toFirst, int count) {
    Native.check(
        Native.carry(fromEach, fromFirst, toEach, toFirst, count, rowBytes, device.stream()),
        "carry");
    device.await();
  }

  @Override
  public void close() {
    if (carried != null) {
      carried.close();
    }
  }

  /** A subset of the slices. */
  private record Some(BatchSlots all, int[] slots) implements DeviceTransfer.Rows {
    @Override
    public Object array(int row) {
      return all.array(slots[row]);
    }

    @Override
    public int unit(int row) {
      return all.unit(slots[row]);
    }
  }
}
