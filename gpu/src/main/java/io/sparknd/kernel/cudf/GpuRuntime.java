/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;

/** The calls of CUDA and RMM that open a GPU. {@link ExecutorGpu} decides on their order. */
interface GpuRuntime {
  /** The reason why cuDF finds no usable GPU; empty if it finds one. */
  Optional<String> obstacle();

  /**
   * Whether RMM manages device memory already: the RAPIDS Accelerator has chosen the GPU, and cuDF
   * refuses to use another.
   */
  boolean hasMemory();

  /** The GPU of this thread. */
  int device();

  /** Makes {@code device} the GPU of this thread. */
  void select(int device);

  /** The compute capability of this thread's GPU. */
  ComputeCapability capability();

  /**
   * Loads the native library, once.
   *
   * @throws io.sparknd.tensor.SparkNdException if it cannot be loaded
   */
  void loadLibrary();

  /** Lets RMM manage the memory of this thread's GPU. */
  void openMemory();

  /** Allocates pinned host memory for transfers, unless it is. */
  void openStaging();
}
