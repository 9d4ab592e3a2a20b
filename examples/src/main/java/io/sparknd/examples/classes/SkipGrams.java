/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generates pairs from walks: a node and each node within a window around it. The window size is
 * drawn for each node, so that near nodes occur more often.
 *
 * @param walks the walks of one graph
 * @param noise the distribution of negative samples
 * @param window the most nodes on either side
 * @param noisePerPair negative samples per pair
 * @param pool nodes that a batch draws from {@code noise}; its pairs draw from them, so that a
 *     batch needs fewer rows
 */
public record SkipGrams(
    RandomWalks walks, WeightedChoice noise, int window, int noisePerPair, int pool)
    implements Serializable {
  /** word2vec's exponent of the noise distribution: it raises the share of rare words. */
  private static final double POWER = 0.75;

  private static final long SEED = 0x5eed;

  /**
   * Returns skip-grams with word2vec's noise distribution; walks visit a node about in proportion
   * to its degree.
   */
  public static SkipGrams of(RandomWalks walks, int window, int noisePerPair, int pool) {
    Graph graph = walks.graph();
    WeightedChoice noise =
        WeightedChoice.of(graph.nodes(), node -> Math.pow(graph.degree(node), POWER));
    return new SkipGrams(walks, noise, window, noisePerPair, pool);
  }

  /** The number of walks per round. */
  public int walksPerRound() {
    return walks.graph().nodes();
  }

  /** Returns the pairs of walks {@code [first, first + count)}, numbered across rounds. */
  public Pairs pairs(long first, int count) {
    SplittableRandom random = SeededDraws.of(SEED, walks.seed(), first);
    IntStream.Builder centres = IntStream.builder();
    IntStream.Builder contexts = IntStream.builder();
    for (long number = first; number < first + count; number++) {
      int[] walk = walks.walk(number / walksPerRound(), (int) (number % walksPerRound()));
      for (int at = 0; at < walk.length; at++) {
        int reach = 1 + random.nextInt(window);
        int end = Math.min(walk.length, at + reach + 1);
        for (int other = Math.max(0, at - reach); other < end; other++) {
          if (other != at) {
            centres.add(walk[at]);
            contexts.add(walk[other]);
          }
        }
      }
    }
    int[] drawn = IntStream.range(0, pool).map(i -> noise.draw(random)).toArray();
    int[] all = contexts.build().toArray();
    int[] places = random.ints((long) all.length * noisePerPair, 0, pool).toArray();
    return new Pairs(centres.build().toArray(), all, drawn, places);
  }
}
