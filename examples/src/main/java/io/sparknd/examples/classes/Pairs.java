/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import java.io.Serializable;

/**
 * Training data of skip-gram: pairs of near nodes, and negative samples.
 *
 * @param centres the first node of each pair
 * @param contexts a node near it on a walk
 * @param pool random nodes
 * @param noise positions in {@code pool}, equally many per pair, in the order of the pairs
 */
public record Pairs(int[] centres, int[] contexts, int[] pool, int[] noise)
    implements Serializable {
  /** The number of pairs. */
  public int count() {
    return centres.length;
  }

  /** The number of negative samples per pair. */
  public int noisePerPair() {
    return count() == 0 ? 0 : noise.length / count();
  }
}
