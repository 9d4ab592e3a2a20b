/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/**
 * One gather on a device from blocks in host memory. Each distinct slice is copied to the device
 * once, unless its block is resident; every result row is copied back. If device memory does not
 * suffice, the CPU gathers.
 */
final class DeviceGather implements GatherKernel {
  private final CudfProvider provider;
  private final Storage storage;
  private final GatherKernel processor;
  private final ResidentBlocks residents;
  private Object[] blocks;
  private Object result;
  private int units;
  private int most;
  private BatchSlots slots;
  private int[] keys = new int[SliceAddresses.CAPACITY];
  private int[] rows = new int[SliceAddresses.CAPACITY];
  private int count;

  /**
   * @param residents the resident blocks; null if blocks do not stay on the device
   */
  DeviceGather(
      CudfProvider provider, Storage storage, GatherKernel processor, ResidentBlocks residents) {
    this.provider = provider;
    this.storage = storage;
    this.processor = processor;
    this.residents = residents;
  }

  @Override
  public void apply(Object[] blocks, SliceAddresses at, Object result, int units) {
    if (blocks != this.blocks || result != this.result || units != this.units) {
      finish();
      begin(blocks, result, units);
    }
    for (int i = 0; i < at.count; i++) {
      if (count == most) {
        finish();
      }
      append(at.block[i], at.position[i], at.row[i]);
    }
  }

  private void begin(Object[] from, Object to, int length) {
    if (slots == null || length != units) {
      slots = new BatchSlots(length);
      most = (int) Math.max(1, provider.batchBytes() / storage.bytes() / length);
    }
    blocks = from;
    result = to;
    units = length;
    slots.clear(from);
  }

  private void append(int block, int position, int row) {
    if (count == keys.length) {
      int room = (int) Math.min(most, 2L * count);
      keys = Arrays.copyOf(keys, room);
      rows = Arrays.copyOf(rows, room);
    }
    keys[count] = slots.of(block, position, storage.length(blocks[block]));
    rows[count++] = row;
  }

  @Override
  public void finish() {
    if (count > 0) {
      if (residents == null || !gatherFromResidents()) {
        gatherFromHost();
      }
      count = 0;
      slots.clear(blocks);
    }
  }

  /** Gathers through resident blocks; returns false if device memory does not suffice. */
  private boolean gatherFromResidents() {
    Device device = provider.device();
    long rowBytes = (long) units * storage.bytes();
    try (UsedBlocks used = new UsedBlocks(residents, device, storage, blocks);
        DeviceTransfer transfer = new DeviceTransfer(device, storage, units, count);
        Device.Memory gathered = device.memory(count * rowBytes)) {
      used.read(slots);
      try (PlacedSlices placed = PlacedSlices.of(device, transfer, slots, used, storage, units)) {
        placed.gather(keys, count, gathered);
      }
      transfer.toHost(gathered, count, new Scattered(result, rows));
      return true;
    } catch (OutOfDeviceMemory e) {
      return false;
    }
  }

  private void gatherFromHost() {
    try {
      gatherOnDevice();
    } catch (OutOfDeviceMemory e) {
      provider.warnOfMemory(e);
      gatherOnProcessor();
    }
  }

  private void gatherOnDevice() {
    Device device = provider.device();
    long rowBytes = (long) units * storage.bytes();
    try (DeviceTransfer transfer = new DeviceTransfer(device, storage, units, count);
        Device.Memory source = device.memory(slots.count() * rowBytes);
        Device.Memory gathered = device.memory(count * rowBytes);
        DeviceRows table = new DeviceRows(device, source, slots.count(), rowBytes)) {
      transfer.toDevice(slots, slots.count(), source);
      table.take(transfer, keys, count);
      table.gather(gathered);
      transfer.toHost(gathered, count, new Scattered(result, rows));
    }
  }

  private void gatherOnProcessor() {
    SliceAddresses chunk = new SliceAddresses();
    for (int next = 0; next < count; next += chunk.count) {
      chunk.count = Math.min(SliceAddresses.CAPACITY, count - next);
      for (int i = 0; i < chunk.count; i++) {
        int key = keys[next + i];
        chunk.block[i] = slots.block(key);
        chunk.position[i] = slots.unit(key);
        chunk.row[i] = rows[next + i];
      }
      processor.apply(blocks, chunk, result, units);
    }
  }

  /** Rows of one array at arbitrary positions. */
  private record Scattered(Object array, int[] units) implements DeviceTransfer.Rows {
    @Override
    public Object array(int row) {
      return array;
    }

    @Override
    public int unit(int row) {
      return units[row];
    }
  }
}
