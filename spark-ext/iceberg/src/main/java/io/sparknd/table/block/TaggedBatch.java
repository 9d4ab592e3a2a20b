/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.cluster.exchange.UpdateBatch;

/**
 * Updates that have come to their partition.
 *
 * @param part number of the scatter that they are of
 */
public record TaggedBatch(int part, UpdateBatch batch) {}
