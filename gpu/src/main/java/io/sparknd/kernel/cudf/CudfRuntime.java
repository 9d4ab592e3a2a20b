/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.PinnedMemoryPool;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmCudaAsyncMemoryResource;
import java.util.Optional;

/** CUDA and RMM through cuDF, which may be missing on the class path. */
final class CudfRuntime implements GpuRuntime {
  private static final String LIBRARY = "libsparknd-cuda.so";
  private static final long PINNED_BYTES = 256L << 20;

  private boolean isLoaded;

  @Override
  public Optional<String> obstacle() {
    return Probe.OBSTACLE;
  }

  @Override
  public boolean hasMemory() {
    return Rmm.isInitialized();
  }

  @Override
  public int device() {
    return Cuda.getDevice();
  }

  @Override
  public void select(int device) {
    Cuda.setDevice(device);
  }

  @Override
  public ComputeCapability capability() {
    return new ComputeCapability(
        Cuda.getComputeCapabilityMajor(), Cuda.getComputeCapabilityMinor());
  }

  @Override
  public void loadLibrary() {
    if (!isLoaded) {
      Native.load(LIBRARY);
      isLoaded = true;
    }
  }

  @Override
  public void openMemory() {
    AsyncPool.open();
  }

  @Override
  public void openStaging() {
    if (!PinnedMemoryPool.isInitialized()) {
      PinnedMemoryPool.initialize(PINNED_BYTES);
    }
  }

  /** Runs the probe once: without a GPU it takes two seconds. */
  private static final class Probe {
    static final Optional<String> OBSTACLE = probe();

    private static Optional<String> probe() {
      try {
        return Cuda.isEnvCompatibleForTesting()
            ? Optional.empty()
            : Optional.of("this JVM sees no NVIDIA GPU that cuDF can use");
      } catch (NoClassDefFoundError | UnsatisfiedLinkError | ExceptionInInitializerError e) {
        return Optional.of("cuDF (ai.rapids:cudf) cannot be loaded: " + e);
      }
    }
  }

  /**
   * CUDA's stream-ordered allocator without a limit. {@code Rmm.initialize} would take all memory
   * that it may use at once, although other processes may share the GPU.
   */
  private static final class AsyncPool {
    private static final long FIRST_BYTES = 1 << 20;

    /** The share of the GPU's memory up to which freed memory is kept for later allocations. */
    private static final double KEPT_SHARE = 0.25;

    static void open() {
      long kept = (long) (Cuda.memGetInfo().total * KEPT_SHARE);
      Rmm.setCurrentDeviceResource(new RmmCudaAsyncMemoryResource(FIRST_BYTES, kept), null, false);
    }
  }
}
