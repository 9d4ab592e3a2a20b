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
 * Kernels on an NVIDIA GPU: every dtype of a fixed width, every reduction, with the bits of the
 * other providers. Strings, whose width varies, stay with the processor.
 */
public final class CudfProvider implements KernelProvider {
  private static final Logger LOG = LoggerFactory.getLogger(CudfProvider.class);

  /** Of updates, and as much again at most of slices. */
  private static final long BATCH_BYTES = 256L << 20;

  private final Devices devices;
  private final long batchBytes;
  private final LongSupplier residentBytes;
  private final ResidentBlocks residents = new ResidentBlocks();
  private final KernelProvider processor = KernelProviders.automatic();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** For {@link java.util.ServiceLoader}; nothing of a GPU is touched before a kernel is. */
  public CudfProvider() {
    this(new CudfDevices(), BATCH_BYTES, ResidentBytes::configured);
  }

  /**
   * @param residentBytes how many bytes of blocks may stay on the device, whenever that is asked
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

  /** Those of the processor: a way to the device and back takes longer than they do. */
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
  public BlockWriteListener renewal(Storage storage, Supplier<Object[]> before) {
    return storage == Storage.STRING || !keepsBlocks()
        ? BlockWriteListener.NONE
        : new DeviceRenewal(this, storage, residents, before.get());
  }

  private boolean keepsBlocks() {
    long bytes = residentBytes.getAsLong();
    residents.limit(bytes);
    return bytes > 0;
  }

  /** The device of this task; what is resident there makes room for all else. */
  Device device() {
    return new EvictingDevice(devices.forThisTask(), residents);
  }

  ResidentBlocks residents() {
    return residents;
  }

  long batchBytes() {
    return batchBytes;
  }

  /** Once, however often it happens: the answer is the same, only later. */
  void warnOfMemory(OutOfDeviceMemory e) {
    if (warned.compareAndSet(false, true)) {
      LOG.warn("The GPU has {}; the processor takes over what does not fit", e.getMessage());
    }
  }
}
