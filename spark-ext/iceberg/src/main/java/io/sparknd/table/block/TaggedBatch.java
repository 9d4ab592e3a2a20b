/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.cluster.exchange.UpdateBatch;

/**
 * A batch of updates at its partition, tagged with its scatter.
 *
 * @param part number of the scatter in the commit
 */
public record TaggedBatch(int part, UpdateBatch batch) {}
