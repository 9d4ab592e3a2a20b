/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Kernels on NVIDIA GPUs. {@link io.sparknd.kernel.cudf.CudfProvider} is registered as a service
 * under the name {@code cudf}. Device memory is allocated by RMM through cuDF, so it shares the
 * pool of the RAPIDS Accelerator. The folds are custom CUDA kernels, because cuDF does not define
 * the effect of duplicates or the order of float additions.
 */
package io.sparknd.kernel.cudf;
