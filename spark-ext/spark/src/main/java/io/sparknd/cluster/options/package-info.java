/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of calls to {@link io.sparknd.cluster.DistributedTensor} and to tensor tables: columns,
 * partitioning, the strategy of a gather, and the time as of which it reads.
 */
@NullMarked
package io.sparknd.cluster.options;

import org.jspecify.annotations.NullMarked;
