/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Folds batches into blocks. {@link io.sparknd.cluster.fold.PartitionFold} applies the batches of a
 * partition to its blocks, in order, and shares untouched blocks. Separate tasks fold slices with
 * far more updates than others ({@link io.sparknd.cluster.fold.SkewedScatter}). Input: batches by
 * owner; output: the next version of a tensor, cached by {@link
 * io.sparknd.cluster.fold.VersionLineage}, and the scatter's metrics.
 *
 * <p>Internal; not part of the public API.
 */
package io.sparknd.cluster.fold;
