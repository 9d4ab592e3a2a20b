/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends updates to the partitions that own their slices. {@link
 * io.sparknd.cluster.exchange.UpdateBinner} packs chunks into {@link
 * io.sparknd.cluster.exchange.UpdateBatch}es by owning partition. {@link
 * io.sparknd.cluster.exchange.BatchShuffle} shuffles them; they arrive in source order where the
 * result depends on it. Updates that the driver holds are broadcast by {@link
 * io.sparknd.cluster.exchange.LocalUpdates} instead.
 *
 * <p>Internal; not part of the public API.
 */
package io.sparknd.cluster.exchange;
