/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Kernels on NVIDIA GPUs. {@link io.sparknd.kernel.cudf.CudfProvider} is a service, found by the
 * name {@code cudf}. Memory of the device is RMM's, through cuDF, so that it comes from the pool of
 * the RAPIDS Accelerator where that runs beside; the folds are CUDA kernels of our own, because
 * cuDF leaves open what duplicates do and in which order floats are added.
 */
package io.sparknd.kernel.cudf;
