/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;

/**
 * A batch of updates at its partition, tagged with its scatter.
 *
 * @param part number of the scatter in the commit
 */
public record TaggedBatch(int part, ShuffleBatch batch) {}
