/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.PinnedMemoryPool;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmCudaAsyncMemoryResource;
import io.sparknd.kernel.KernelErrors;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** NVIDIA GPUs, through cuDF. Like RAPIDS, a JVM uses one GPU. */
final class CudfDevices implements Devices {
  private static final Logger LOG = LoggerFactory.getLogger(CudfDevices.class);
  private static final String LIBRARY = "libsparknd-cuda.so";
  private static final long PINNED_BYTES = 256L << 20;
  private static final long FIRST_BYTES = 1 << 20;

  /** The share of the GPU's memory up to which freed memory is kept for later allocations. */
  private static final double KEPT_SHARE = 0.25;

  @Override
  public String name() {
    return "cudf";
  }

  @Override
  public Optional<String> obstacle() {
    return Probe.OBSTACLE;
  }

  @Override
  public Device forThisTask() {
    int wanted = TaskGpu.ordinal();
    if (Opened.ORDINAL != wanted) {
      throw KernelErrors.oneGpuPerExecutor(Opened.ORDINAL, wanted);
    }
    Cuda.setDevice(wanted); // CUDA selects the device per thread
    return new CudfDevice();
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

  /** The device of this JVM, fixed at first use. */
  private static final class Opened {
    static final int ORDINAL = open(TaskGpu.ordinal());

    private static int open(int ordinal) {
      Native.load(LIBRARY);
      Cuda.setDevice(ordinal);
      if (!Rmm.isInitialized()) { // otherwise the RAPIDS Accelerator has done it
        openPool();
      }
      if (!PinnedMemoryPool.isInitialized()) {
        PinnedMemoryPool.initialize(PINNED_BYTES);
      }
      LOG.info("Kernel cudf runs on GPU {}", ordinal);
      return ordinal;
    }

    /**
     * Opens CUDA's stream-ordered allocator without a limit. {@code Rmm.initialize} would take all
     * memory that it may use at once, although other processes may share the GPU.
     */
    private static void openPool() {
      long kept = (long) (Cuda.memGetInfo().total * KEPT_SHARE);
      Rmm.setCurrentDeviceResource(new RmmCudaAsyncMemoryResource(FIRST_BYTES, kept), null, false);
    }
  }
}
