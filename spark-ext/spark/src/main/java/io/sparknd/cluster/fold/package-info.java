/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Batches into blocks. {@link io.sparknd.cluster.fold.PartitionFold} applies the batches of a
 * partition to its blocks, in order, and shares those that it leaves alone; slices with more
 * updates than others ({@code Hot*}) are folded by tasks of their own. In: batches by owner; out:
 * the next version of a tensor, kept as {@link io.sparknd.cluster.fold.VersionLineage} says, and
 * what the scatter counted.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.fold;
