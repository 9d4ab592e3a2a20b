/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors partitioned over a Spark cluster. {@link io.sparknd.cluster.DistributedTensor} is the way
 * in; this package is all that users call.
 *
 * <p>The packages below it are the way of the data, each knowing only those to the left of it:
 * {@code raw} and {@code layout} (bytes and blocks), {@code rows} (index tuples become offsets),
 * {@code exchange} (updates go to the partitions that own their slices), {@code fold} (a new
 * version shares the blocks that they leave alone); then the ways out and in: {@code gather},
 * {@code tables}, {@code files}. {@code spark} calls what Spark does not publish.
 */
package io.sparknd.cluster;
