/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Folds updates into blocks. {@link io.sparknd.cluster.internal.scatter.TensorScatter} plans a
 * scatter; {@link io.sparknd.cluster.internal.scatter.PartitionFold} applies the batches of a
 * partition to its blocks, in order, and shares untouched blocks with the previous version; {@link
 * io.sparknd.cluster.internal.scatter.SkewedScatter} has separate tasks fold hot slices.
 */
@NullMarked
package io.sparknd.cluster.internal.scatter;

import org.jspecify.annotations.NullMarked;
