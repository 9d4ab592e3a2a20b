/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.SeededDraws;
import java.io.Serializable;
import java.util.SplittableRandom;

/**
 * Uniform random walks through a graph.
 *
 * @param graph a graph in which every node has a neighbour
 * @param length nodes per walk
 */
public record RandomWalks(Graph graph, int length, long seed) implements Serializable {

  /**
   * Returns the walk from {@code node} in round {@code round}; in each round, one walk begins at
   * every node.
   */
  public int[] walk(long round, int node) {
    SplittableRandom random = SeededDraws.of(seed, round, node);
    int[] walk = new int[length];
    walk[0] = node;
    for (int i = 1; i < length; i++) {
      int at = walk[i - 1];
      walk[i] = graph.neighbour(at, random.nextInt(graph.degree(at)));
    }
    return walk;
  }
}
