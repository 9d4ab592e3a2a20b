/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import java.io.Serializable;

/**
 * The destination partition and the sort key of a batch.
 *
 * @param partition the partition that receives the batch
 * @param source the first part of the sort key: the source partition, or the window of a batch that
 *     {@link RowBinner} cuts at windows
 * @param sequence the second part of the sort key
 */
public record BatchKey(int partition, int source, int sequence)
    implements Serializable, Comparable<BatchKey> {

  @Override
  public int compareTo(BatchKey other) {
    int bySource = Integer.compare(source, other.source);
    return bySource != 0 ? bySource : Integer.compare(sequence, other.sequence);
  }
}
