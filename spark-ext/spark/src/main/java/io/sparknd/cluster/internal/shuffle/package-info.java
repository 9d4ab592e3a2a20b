/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends updates to the partitions that own their slices. The map side ({@link
 * io.sparknd.cluster.internal.shuffle.ScatterMapTask}) packs updates into batches by owning
 * partition and combines them where that is bit-exact. {@link
 * io.sparknd.cluster.internal.shuffle.BatchShuffle} shuffles batches; they arrive in source order
 * where the result depends on it. Updates that the driver holds are broadcast by {@link
 * io.sparknd.cluster.internal.shuffle.BroadcastBatches} instead.
 */
@NullMarked
package io.sparknd.cluster.internal.shuffle;

import org.jspecify.annotations.NullMarked;
