/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scatter and gather on many small tensors, one after the other: what the set-up of {@link
 * io.sparknd.kernel.Kernels} would cost each time is done once. Knows nothing of Spark; public only
 * for the packages beside it.
 */
package io.sparknd.udf.row;
