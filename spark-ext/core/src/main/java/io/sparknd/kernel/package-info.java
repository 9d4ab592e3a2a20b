/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scatter and gather on arrays in one process: {@link io.sparknd.kernel.Kernels} for whole local
 * tensors, {@link io.sparknd.kernel.SliceFold} for a partition that receives its updates in
 * batches. The loops are in the packages of the kernel providers.
 */
@NullMarked
package io.sparknd.kernel;

import org.jspecify.annotations.NullMarked;
