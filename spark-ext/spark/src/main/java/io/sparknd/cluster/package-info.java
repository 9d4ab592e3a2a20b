/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors partitioned over a Spark cluster. {@link io.sparknd.cluster.DistributedTensor} is the
 * entry point; {@link io.sparknd.cluster.options} holds the arguments of its methods. The machinery
 * is in {@link io.sparknd.cluster.internal}.
 */
@NullMarked
package io.sparknd.cluster;

import org.jspecify.annotations.NullMarked;
