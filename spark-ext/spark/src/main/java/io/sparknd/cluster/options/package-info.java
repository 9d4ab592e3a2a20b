/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of calls to {@link io.sparknd.cluster.DistributedTensor} and to tensor tables: columns,
 * partitioning, and the strategy of a gather.
 */
@NullMarked
package io.sparknd.cluster.options;

import org.jspecify.annotations.NullMarked;
