/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import java.io.Serializable;

/** Samples which pieces the updates of one source partition name. */
public interface DestinationSampler extends BroadcastBatches.PieceObserver {
  /** Returns the sample of the updates of {@code source}. */
  ScatterMetricsAccumulator.DestinationSample sample(int source);

  /** Creates the samplers of map tasks. */
  interface Factory extends Serializable {
    /**
     * @param partitions the number of partitions that own pieces
     */
    DestinationSampler create(int partitions);
  }
}
