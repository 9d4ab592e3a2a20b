/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which element is where, and the blocks that hold it. {@link
 * io.sparknd.cluster.layout.BlockLayout} deals the blocks of a tensor to partitions, {@link
 * io.sparknd.cluster.layout.TensorPartition} holds those of one, and {@link
 * io.sparknd.cluster.layout.TensorBlocks} is all of them, one version of a tensor. In: a shape and
 * a {@link io.sparknd.cluster.Partitioning}, or a tensor of the driver; out: partitions in an RDD.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.layout;
