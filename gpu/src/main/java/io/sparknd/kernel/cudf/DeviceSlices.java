/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/**
 * Where the slices of a batch come from, and what of the device is to learn what became of them.
 */
interface DeviceSlices extends AutoCloseable {
  /** Copies every slice to its row of {@code table}. */
  void fill(Device.Memory table);

  /** Copies every row of {@code table} to its slice, if that is on the device. */
  void store(Device.Memory table);

  @Override
  void close();

  /** Slices that travel with their batch. */
  record Travelling(DeviceTransfer transfer, BatchSlots slots) implements DeviceSlices {
    @Override
    public void fill(Device.Memory table) {
      transfer.toDevice(slots, slots.count(), table);
    }

    @Override
    public void store(Device.Memory table) {
      // the host has them
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
