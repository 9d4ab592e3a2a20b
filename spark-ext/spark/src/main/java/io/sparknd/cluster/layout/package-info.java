/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The assignment of elements to blocks and partitions, and the blocks themselves. {@link
 * io.sparknd.cluster.layout.BlockLayout} assigns the blocks of a tensor to partitions, {@link
 * io.sparknd.cluster.layout.TensorPartition} holds those of one partition, and {@link
 * io.sparknd.cluster.layout.TensorBlocks} is one version of a tensor. Input: a shape and a {@link
 * io.sparknd.cluster.Partitioning}, or a local tensor; output: partitions in an RDD.
 *
 * <p>Internal; not part of the public API.
 */
package io.sparknd.cluster.layout;
