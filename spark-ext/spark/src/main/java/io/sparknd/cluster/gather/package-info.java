/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Slices out. Index rows and the slices that they name are brought together in one of four ways, as
 * {@link io.sparknd.cluster.Strategy} has it. In: the blocks of a tensor and rows of indices; out:
 * the rows, each with its slice, or a tensor of slices. {@link
 * io.sparknd.cluster.gather.RequestedSlices} are for those who make other things of slices than
 * rows.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.gather;
