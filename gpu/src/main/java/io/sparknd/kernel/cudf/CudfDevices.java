/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;

/** NVIDIA GPUs, through cuDF. Like RAPIDS, a JVM uses one GPU. */
final class CudfDevices implements Devices {
  private static final ExecutorGpu GPU = new ExecutorGpu(new CudfRuntime());

  @Override
  public String name() {
    return "cudf";
  }

  @Override
  public Optional<String> obstacle() {
    return GPU.obstacle(TaskGpu.ordinal());
  }

  @Override
  public Device forThisTask() {
    GPU.use(TaskGpu.ordinal());
    return new CudfDevice();
  }
}
