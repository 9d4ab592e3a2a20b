/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scatters and gathers on many small tensors in turn, with the set-up of {@link
 * io.sparknd.kernel.Kernels} done once instead of per tensor. Independent of Spark; public only for
 * the neighboring packages.
 */
package io.sparknd.udf.row;
