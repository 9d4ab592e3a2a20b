/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/**
 * The slices of a batch: reads them into a device table and writes them back to resident blocks.
 */
interface DeviceSlices extends AutoCloseable {
  /** Copies every slice to its row of {@code table}. */
  void fill(Device.Memory table);

  /** Copies every row of {@code table} to its slice on the device, if there is one. */
  void store(Device.Memory table);

  @Override
  void close();

  /** Slices that are transferred with each batch. */
  record Travelling(DeviceTransfer transfer, BatchSlots slots) implements DeviceSlices {
    @Override
    public void fill(Device.Memory table) {
      transfer.toDevice(slots, slots.count(), table);
    }

    @Override
    public void store(Device.Memory table) {
      // the caller copies the table to the host
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
