/* SPDX-License-Identifier: Apache-2.0 */
package com.nvidia.spark.rapids.jni;

/** Stands for the class of this name in the RAPIDS Accelerator. */
public class GpuRetryOOM extends GpuOOM {
  private static final long serialVersionUID = 1;
}
