/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Makes pairs of walks: a node and each of those that are up to a window away, which is drawn anew
 * for each node, so that close ones come more often.
 *
 * @param walks which are of one graph
 * @param noise draws nodes by their popularity
 * @param window nodes on either side, at most
 * @param noisePerPair nodes drawn for each pair
 * @param pool nodes that a batch draws from {@code noise}; its pairs draw theirs of those, so that
 *     a batch needs fewer rows
 */
public record SkipGrams(
    RandomWalks walks, WeightedChoice noise, int window, int noisePerPair, int pool)
    implements Serializable {
  /** What word2vec draws noise by: rare words more often than they occur. */
  private static final double POWER = 0.75;

  private static final long SEED = 0x5eed;

  /** Those of word2vec: walks pass a node about as often as it has neighbours. */
  public static SkipGrams of(RandomWalks walks, int window, int noisePerPair, int pool) {
    Graph graph = walks.graph();
    WeightedChoice noise =
        WeightedChoice.of(graph.nodes(), node -> Math.pow(graph.degree(node), POWER));
    return new SkipGrams(walks, noise, window, noisePerPair, pool);
  }

  /** Walks of a round. */
  public int walksPerRound() {
    return walks.graph().nodes();
  }

  /**
   * Pairs of the walks from {@code first} to {@code first + count - 1}, which go through rounds.
   */
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
    int[] all = contexts.build().toArray();
    return new Pairs(centres.build().toArray(), all, noise(all.length, random));
  }

  private int[] noise(int pairs, SplittableRandom random) {
    int[] drawn = IntStream.range(0, pool).map(i -> noise.draw(random)).toArray();
    return IntStream.range(0, pairs * noisePerPair).map(i -> drawn[random.nextInt(pool)]).toArray();
  }
}
