/* SPDX-License-Identifier: Apache-2.0 */
package com.nvidia.spark.rapids.jni;

/** Stands for the class of this name in the RAPIDS Accelerator. */
public class GpuOOM extends RuntimeException {
  private static final long serialVersionUID = 1;
}
