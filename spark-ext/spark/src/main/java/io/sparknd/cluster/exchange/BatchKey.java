/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.exchange;

import java.io.Serializable;

/**
 * Where a batch goes, and its place in the order of its kind.
 *
 * @param partition that gets the batch
 * @param source partition that the batch comes from, which is the first part of its place
 * @param sequence the second
 */
public record BatchKey(int partition, int source, int sequence)
    implements Serializable, Comparable<BatchKey> {

  @Override
  public int compareTo(BatchKey other) {
    int bySource = Integer.compare(source, other.source);
    return bySource != 0 ? bySource : Integer.compare(sequence, other.sequence);
  }
}
