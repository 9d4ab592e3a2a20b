/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Gathers slices of a tensor by index rows. Each {@link io.sparknd.cluster.options.GatherStrategy}
 * brings index rows and their slices together in another way. Input: the blocks of a tensor and
 * rows of indices. Output: the rows, each with its slice, or a tensor of slices. {@link
 * io.sparknd.cluster.internal.gather.RequestedSlices} serves callers that need results other than
 * rows.
 *
 * <p>Not for users.
 */
@NullMarked
package io.sparknd.cluster.internal.gather;

import org.jspecify.annotations.NullMarked;
