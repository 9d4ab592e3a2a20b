/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import java.io.Serializable;

/**
 * What skip-gram learns of: nodes that were met near each other, and nodes drawn at random.
 *
 * @param centres a node for each pair
 * @param contexts a node that was met near it
 * @param noise nodes that were not, equally many for each pair: those of the first pair come first
 */
public record Pairs(int[] centres, int[] contexts, int[] noise) implements Serializable {
  /** How many pairs there are. */
  public int count() {
    return centres.length;
  }

  /** Nodes drawn at random for each pair. */
  public int noisePerPair() {
    return count() == 0 ? 0 : noise.length / count();
  }
}
