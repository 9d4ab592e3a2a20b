/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors partitioned over a Spark cluster. {@link io.sparknd.cluster.DistributedTensor} is the
 * entry point; users call only this package.
 *
 * <p>The subpackages form a pipeline in which each depends only on earlier ones: {@code raw} and
 * {@code layout} (bytes and blocks), {@code rows} (index tuples become offsets), {@code exchange}
 * (updates are sent to the partitions that own their slices), {@code fold} (a new version that
 * shares the untouched blocks); then input and output: {@code gather}, {@code tables}, {@code
 * files}. {@code spark} calls Spark's non-public APIs.
 */
package io.sparknd.cluster;
