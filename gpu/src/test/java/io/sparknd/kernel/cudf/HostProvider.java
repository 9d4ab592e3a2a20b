/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.spi.BlockWriteListener;
import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.function.Supplier;

/**
 * The kernels {@code cudf_on_host}: the {@code cudf} kernels without the GPU, in batches so small
 * that most calls take several.
 */
public final class HostProvider implements KernelProvider {
  private static final long BATCH_BYTES = 256;

  private final HostDevices devices = new HostDevices();
  private final CudfProvider kernels =
      new CudfProvider(devices, BATCH_BYTES, ResidentBytes::configured);

  @Override
  public String name() {
    return kernels.name();
  }

  @Override
  public KernelProvider forSmallBatches() {
    return kernels.forSmallBatches();
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    return kernels.scatter(dtype, reduction);
  }

  @Override
  public GatherKernel gather(Storage storage) {
    return kernels.gather(storage);
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction, Supplier<Object[]> before) {
    return kernels.scatter(dtype, reduction, before);
  }

  @Override
  public GatherKernel gatherFromVersion(Storage storage) {
    return kernels.gatherFromVersion(storage);
  }

  @Override
  public BlockWriteListener blockWriteListener(Storage storage, Supplier<Object[]> before) {
    return kernels.blockWriteListener(storage, before);
  }

  HostDevices devices() {
    return devices;
  }

  ResidentBlocks residents() {
    return kernels.residents();
  }
}
