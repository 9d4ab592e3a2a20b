/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors partitioned over a Spark cluster. {@link io.sparknd.cluster.DistributedTensor} is the way
 * in.
 *
 * <p>The way of an update: index tuples become offsets ({@code LocalUpdates} on the driver, {@code
 * RowUpdates} on executors), {@code Binner} packs them into {@code UpdateBatch}es by owning
 * partition as {@code BlockLayout} deals them out, {@code Exchange} shuffles the batches in order,
 * and {@code PartitionFold} applies them to a {@code TensorPartition}, whose untouched blocks the
 * new version shares.
 */
package io.sparknd.cluster;
