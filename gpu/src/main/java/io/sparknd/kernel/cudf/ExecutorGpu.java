/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one GPU of a JVM, which the first task opens. If that fails, the next task tries again: the
 * cause may pass, as a full disk does, and each task has to report it.
 */
final class ExecutorGpu {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorGpu.class);
  private static final int NONE = -1;

  private final GpuRuntime runtime;

  /** The GPU that is fixed because its memory is managed. */
  private int ordinal = NONE;

  private boolean isOpen;

  /** Whether the open GPU, which no longer changes, has been found to run the kernels. */
  private boolean isUsable;

  ExecutorGpu(GpuRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * The reason why the GPU cannot run the kernels; empty if it can.
   *
   * @param assigned the GPU that Spark assigned to the task
   */
  synchronized Optional<String> obstacle(OptionalInt assigned) {
    if (isUsable) { // asked for each batch
      return Optional.empty();
    }
    Optional<String> obstacle = runtime.obstacle().or(() -> tooOld(assigned));
    isUsable = isOpen && obstacle.isEmpty();
    return obstacle;
  }

  private Optional<String> tooOld(OptionalInt assigned) {
    int gpu = chosen(assigned);
    if (gpu != runtime.device()) {
      runtime.select(gpu);
    }
    ComputeCapability found = runtime.capability();
    return found.compareTo(ComputeCapability.LEAST) < 0
        ? Optional.of(
            "the GPU has compute capability "
                + found
                + ", and the kernels need "
                + ComputeCapability.LEAST)
        : Optional.empty();
  }

  /**
   * Makes it the GPU of this thread.
   *
   * @param assigned the GPU that Spark assigned to the task
   * @throws io.sparknd.tensor.SparkNdException if it cannot be opened, or is not the assigned one
   */
  synchronized void use(OptionalInt assigned) {
    if (!isOpen) {
      open(chosen(assigned));
    }
    if (assigned.isPresent() && assigned.getAsInt() != ordinal) {
      throw KernelErrors.oneGpuPerExecutor(ordinal, assigned.getAsInt());
    }
    runtime.select(ordinal); // CUDA selects the device per thread
  }

  private int chosen(OptionalInt assigned) {
    if (ordinal != NONE) {
      return ordinal;
    }
    return runtime.hasMemory() ? runtime.device() : assigned.orElse(0);
  }

  private void open(int gpu) {
    runtime.loadLibrary();
    runtime.select(gpu);
    if (!runtime.hasMemory()) {
      runtime.openMemory();
    }
    ordinal = gpu;
    runtime.openStaging();
    isOpen = true;
    LOG.info("Kernel cudf runs on GPU {}", gpu);
  }
}
