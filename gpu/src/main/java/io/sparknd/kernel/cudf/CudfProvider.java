/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.spi.BlockWriteListener;
import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels on an NVIDIA GPU. They support every fixed-width dtype and every reduction, and give the
 * same bits as the other providers. Strings run on the CPU.
 */
public final class CudfProvider implements KernelProvider {
  private static final Logger LOG = LoggerFactory.getLogger(CudfProvider.class);

  /** Update bytes per batch; its slices take at most the same again. */
  private static final long BATCH_BYTES = 256L << 20;

  private final Devices devices;
  private final long batchBytes;
  private final LongSupplier residentBytes;
  private final ResidentBlocks residents = new ResidentBlocks();
  private final KernelProvider processor = KernelProviders.automatic();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** For {@link java.util.ServiceLoader}; the GPU is initialized when the first kernel runs. */
  public CudfProvider() {
    this(new CudfDevices(), BATCH_BYTES, ResidentBytes::configured);
  }

  /**
   * @param residentBytes supplies the current limit for blocks that stay on the device
   */
  CudfProvider(Devices devices, long batchBytes, LongSupplier residentBytes) {
    this.devices = devices;
    this.batchBytes = batchBytes;
    this.residentBytes = residentBytes;
  }

  @Override
  public String name() {
    return devices.name();
  }

  @Override
  public Optional<String> obstacle() {
    return devices.obstacle();
  }

  /**
   * Returns the CPU kernels: for small batches, the transfer to the device takes longer than they
   * do.
   */
  @Override
  public KernelProvider forSmallBatches() {
    return processor;
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    ScatterKernel plain = processor.scatter(dtype, reduction);
    return dtype == DType.STRING
        ? plain
        : new DeviceScatter(this, dtype, reduction.step(dtype), plain);
  }

  @Override
  public GatherKernel gather(Storage storage) {
    GatherKernel plain = processor.gather(storage);
    return storage == Storage.STRING ? plain : new DeviceGather(this, storage, plain, null);
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction, Supplier<Object[]> before) {
    return dtype == DType.STRING || !keepsBlocks()
        ? scatter(dtype, reduction)
        : new DeviceScatter(
            this,
            dtype,
            reduction.step(dtype),
            processor.scatter(dtype, reduction),
            residents,
            before.get());
  }

  @Override
  public GatherKernel gatherFromVersion(Storage storage) {
    return storage == Storage.STRING || !keepsBlocks()
        ? gather(storage)
        : new DeviceGather(this, storage, processor.gather(storage), residents);
  }

  @Override
  public BlockWriteListener blockWriteListener(Storage storage, Supplier<Object[]> before) {
    return storage == Storage.STRING || !keepsBlocks()
        ? BlockWriteListener.NONE
        : new DeviceRenewal(this, storage, residents, before.get());
  }

  private boolean keepsBlocks() {
    long bytes = residentBytes.getAsLong();
    residents.limit(bytes);
    return bytes > 0;
  }

  /** Returns the device of this task; allocations evict resident blocks if memory is short. */
  Device device() {
    return new EvictingDevice(devices.forThisTask(), residents);
  }

  ResidentBlocks residents() {
    return residents;
  }

  long batchBytes() {
    return batchBytes;
  }

  /** Logs the first shortage of device memory; results do not change. */
  void warnOfMemory(OutOfDeviceMemory e) {
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "GPU memory is exhausted ({}); batches that do not fit run on the CPU", e.getMessage());
    }
  }
}
