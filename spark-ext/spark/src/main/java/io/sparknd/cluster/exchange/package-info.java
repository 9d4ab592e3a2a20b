/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Updates to their owners. {@link io.sparknd.cluster.exchange.UpdateBinner} packs chunks into
 * {@link io.sparknd.cluster.exchange.UpdateBatch}es by owning partition, {@link
 * io.sparknd.cluster.exchange.BatchShuffle} shuffles them, and they arrive in the order of their
 * sources; what the driver holds goes by {@link io.sparknd.cluster.exchange.LocalUpdates} instead.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.exchange;
