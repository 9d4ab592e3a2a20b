/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;

/**
 * One fold on a device. Updates are buffered until a batch is full or the fold finishes. A batch
 * copies only the slices that it touches, once to the device and once back. If the blocks of the
 * previous version are resident, they are copied on the device instead. If device memory does not
 * suffice for a batch, its halves are tried; small batches run on the CPU.
 */
final class DeviceScatter implements ScatterKernel {
  /** Batches whose halves would be smaller run on the CPU. */
  private static final int MIN = 1024;

  private final CudfProvider provider;
  private final DType dtype;
  private final Reduction step;
  private final ScatterKernel processor;
  private final ResidentBlocks residents;

  /** The previous blocks by number; null if blocks do not stay on the device. */
  private Object[] before;

  private UsedBlocks copies;
  private Object[] blocks;
  private int units;
  private PendingUpdates waiting;
  private BatchSlots slots;

  DeviceScatter(CudfProvider provider, DType dtype, Reduction step, ScatterKernel processor) {
    this(provider, dtype, step, processor, null, null);
  }

  /**
   * @param before the published blocks that the written blocks are copies of, by number; null
   *     entries do not stay on the device
   */
  DeviceScatter(
      CudfProvider provider,
      DType dtype,
      Reduction step,
      ScatterKernel processor,
      ResidentBlocks residents,
      Object[] before) {
    this.provider = provider;
    this.dtype = dtype;
    this.step = step;
    this.processor = processor;
    this.residents = residents;
    this.before = before;
  }

  @Override
  public void apply(Object[] blocks, SliceAddresses at, Object updates, int units) {
    if (blocks != this.blocks || units != this.units) {
      flush();
      begin(blocks, units);
    }
    int next = 0;
    while (next < at.count) {
      next = waiting.append(at, next, updates);
      if (waiting.isFull()) {
        flush();
      }
    }
  }

  private void begin(Object[] into, int length) {
    if (waiting == null || length != units) {
      waiting = new PendingUpdates(dtype.storage(), length, provider.batchBytes());
      slots = new BatchSlots(length);
    }
    blocks = into;
    units = length;
  }

  @Override
  public void finish() {
    flush();
    if (copies != null) {
      copies.close();
    }
  }

  private void flush() {
    if (waiting != null && waiting.count() > 0) {
      fold(0, waiting.count());
      waiting.clear();
    }
  }

  private void fold(int from, int to) {
    try {
      foldOnDevice(from, to);
    } catch (OutOfDeviceMemory e) {
      if (before != null) {
        forgetCopies();
        fold(from, to);
        return;
      }
      int half = (to - from) / 2;
      if (half >= MIN) {
        fold(from, from + half);
        fold(from + half, to);
      } else {
        provider.warnOfMemory(e);
        foldOnProcessor(from, to);
      }
    }
  }

  /**
   * Drops the device copies: they would miss slices written without them. Later batches transfer
   * their slices.
   */
  private void forgetCopies() {
    before = null;
    if (copies != null) {
      copies.drop();
      copies = null;
    }
  }

  private void foldOnProcessor(int from, int to) {
    SliceAddresses chunk = new SliceAddresses();
    for (int next = from; next < to; ) {
      next = waiting.address(next, to, chunk);
      processor.apply(blocks, chunk, waiting.updates(), units);
    }
  }

  private void foldOnDevice(int from, int to) {
    int count = to - from;
    int[] keys = keys(from, to);
    Device device = provider.device();
    long rowBytes = (long) units * dtype.storage().bytes();
    try (DeviceTransfer transfer = new DeviceTransfer(device, dtype.storage(), units, count);
        DeviceSlices slices = slices(device, transfer);
        Device.Memory target = device.memory(slots.count() * rowBytes);
        Device.Memory updates = device.memory(count * rowBytes);
        DeviceRows rows = new DeviceRows(device, target, slots.count(), rowBytes)) {
      slices.fill(target);
      transfer.toDevice(new FlatRows(waiting.updates(), from, units), count, updates);
      rows.take(transfer, keys, count);
      if (step == Reduction.NONE) {
        rows.move(updates);
      } else {
        rows.fold(dtype, step, updates, units / dtype.units());
      }
      slices.store(target);
      transfer.toHost(target, slots.count(), slots);
    }
  }

  private DeviceSlices slices(Device device, DeviceTransfer transfer) {
    if (before == null) {
      return new DeviceSlices.Travelling(transfer, slots);
    }
    if (copies == null) {
      copies = new UsedBlocks(residents, device, dtype.storage(), blocks);
    }
    copies.write(slots, before);
    return PlacedSlices.of(device, transfer, slots, copies, dtype.storage(), units);
  }

  private int[] keys(int from, int to) {
    slots.clear(blocks);
    Storage storage = dtype.storage();
    int[] keys = new int[to - from];
    for (int i = from; i < to; i++) {
      int block = waiting.block(i);
      keys[i - from] = slots.of(block, waiting.position(i), storage.length(blocks[block]));
    }
    return keys;
  }
}
