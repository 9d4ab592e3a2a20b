/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.PairwiseAuc;
import io.sparknd.examples.support.TrainedRows;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SkipGramTest {
  private static final int NODES = 200;

  @Test
  void theGradientIsThatOfTheLoss() {
    // includes a pair of a node with itself, and noise equal to the context
    Pairs pairs =
        new Pairs(
            new int[] {0, 1, 2},
            new int[] {1, 1, 0},
            new int[] {2, 3, 1, 4, 0},
            new int[] {0, 1, 2, 3, 4, 4});
    GradientCheck.check(new SkipGram(5), pairs, 3);
  }

  @Test
  void pairsAreCloseOnAWalkAndCloserOnesComeMoreOften() {
    // on a line graph, node numbers show the distance between nodes
    long[] line = IntStream.range(0, 999).mapToLong(i -> Graph.edge(i, i + 1)).toArray();
    SkipGrams skipGrams = SkipGrams.of(new RandomWalks(Graph.of(1000, line), 20, 1), 4, 2, 16);
    Pairs pairs = skipGrams.pairs(0, 1000);
    int[] distances = new int[5];
    for (int i = 0; i < pairs.count(); i++) {
      distances[Math.abs(pairs.centres()[i] - pairs.contexts()[i])]++;
    }
    assertThat(distances[1]).isGreaterThan(distances[3]);
    assertThat(distances[2]).isGreaterThan(distances[4]);
    assertThat(pairs.noisePerPair()).isEqualTo(2);
    assertThat(IntStream.of(pairs.noise()).distinct().count()).isBetween(10L, 16L);
  }

  @Test
  void batchesGoThroughRoundsOfWalks() {
    SkipGrams skipGrams = SkipGrams.of(new RandomWalks(GraphTest.twoGroups(NODES), 2, 1), 1, 1, 4);
    // with walks of two nodes and window 1, the first centre of each walk is its start
    Pairs pairs = skipGrams.pairs(NODES - 1, 2);
    assertThat(pairs.centres()).hasSize(4).startsWith(NODES - 1);
    assertThat(pairs.centres()[2]).isZero();
    assertThat(pairs.contexts()[2]).isEqualTo(skipGrams.walks().walk(1, 0)[1]);
    assertThat(skipGrams.pairs(NODES - 1, 2)).usingRecursiveComparison().isEqualTo(pairs);
  }

  @Test
  void itLearnsWhichNodesBelongTogether() {
    HeldOut heldOut = HeldOut.of(GraphTest.twoGroups(NODES), 0.05, 1);
    SkipGrams skipGrams = SkipGrams.of(new RandomWalks(heldOut.training(), 10, 1), 2, 5, 64);
    LocalTrainer trainer = new LocalTrainer(2 * NODES, 8, 0.1);
    List<Double> losses =
        trainer.train(new SkipGram(NODES), (step, shard) -> skipGrams.pairs(step * 20, 20), 400);
    assertThat(losses.get(399)).isLessThan(losses.get(0) - 0.3);
    TrainedRows nodes = trainer.rows().first(NODES);
    // most edges are within the even or the odd nodes, as are half of the other pairs
    assertThat(PairwiseAuc.of(cosines(nodes, heldOut.edges()), cosines(nodes, heldOut.others())))
        .isGreaterThan(0.7);
    assertThat(nodes.nearest(0, 20)).filteredOn(node -> node % 2 == 0).hasSizeGreaterThan(17);
  }

  private static double[] cosines(TrainedRows nodes, long[] pairs) {
    return LongStream.of(pairs)
        .mapToDouble(e -> nodes.cosine(Graph.low(e), Graph.high(e)))
        .toArray();
  }
}
