/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The blocks of a tensor. {@link io.sparknd.cluster.internal.partition.BlockLayout} assigns blocks
 * to partitions, {@link io.sparknd.cluster.internal.partition.TensorPartition} holds those of one
 * partition, and {@link io.sparknd.cluster.internal.partition.TensorBlocks} is one version of a
 * tensor. Blocks are serialized as raw bytes.
 */
@NullMarked
package io.sparknd.cluster.internal.partition;

import org.jspecify.annotations.NullMarked;
