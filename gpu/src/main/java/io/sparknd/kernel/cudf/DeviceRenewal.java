/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.spi.BlockWriteListener;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.Storage;

/**
 * Updates resident blocks after a fold that also used CPU kernels: copies the previous blocks on
 * the device and stores the written slices. If memory does not suffice, the blocks are copied to
 * the device when they are next accessed.
 */
final class DeviceRenewal implements BlockWriteListener {
  private final CudfProvider provider;
  private final Storage storage;
  private final ResidentBlocks residents;
  private final Object[] before;
  private Object[] blocks;
  private int units;
  private BatchSlots slots;
  private UsedBlocks copies;
  private boolean isGivenUp;

  DeviceRenewal(CudfProvider provider, Storage storage, ResidentBlocks residents, Object[] before) {
    this.provider = provider;
    this.storage = storage;
    this.residents = residents;
    this.before = before;
  }

  @Override
  public void apply(Object[] blocks, SliceAddresses at, int units) {
    if (slots == null) {
      begin(blocks, units);
    }
    for (int i = 0; i < at.count && !isGivenUp; i++) {
      int block = at.block[i];
      if (before[block] != null) {
        slots.of(block, at.position[i], storage.length(blocks[block]));
        if (slots.count() * rowBytes() >= provider.batchBytes()) {
          flush();
        }
      }
    }
  }

  private void begin(Object[] written, int length) {
    blocks = written;
    units = length;
    slots = new BatchSlots(length);
    slots.clear(written);
  }

  private long rowBytes() {
    return (long) units * storage.bytes();
  }

  @Override
  public void finish() {
    if (slots != null && slots.count() > 0) {
      flush();
    }
    if (copies != null) {
      copies.close();
    }
  }

  private void flush() {
    Device device = provider.device();
    if (copies == null) {
      copies = new UsedBlocks(residents, device, storage, blocks);
    }
    try {
      copies.write(slots, before);
      store(device);
    } catch (OutOfDeviceMemory e) {
      copies.drop();
      isGivenUp = true;
    }
    slots.clear(blocks);
  }

  private void store(Device device) {
    int count = slots.count();
    try (DeviceTransfer transfer = new DeviceTransfer(device, storage, units, count);
        Device.Memory table = device.memory(count * rowBytes());
        PlacedSlices slices = PlacedSlices.of(device, transfer, slots, copies, storage, units)) {
      transfer.toDevice(slots, count, table);
      slices.store(table);
    }
  }
}
