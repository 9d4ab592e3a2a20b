/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.classes.ClassFile;
import io.sparknd.examples.support.SeededDraws;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GraphTest {
  /**
   * Returns a graph of even and odd nodes with many edges within the groups and few between. Every
   * node has edges.
   */
  static Graph twoGroups(int nodes) {
    SplittableRandom random = SeededDraws.of(1);
    LongStream inside =
        IntStream.range(0, nodes * 5)
            .mapToLong(i -> edgeFrom(i % nodes, 2 + 2 * random.nextInt(nodes / 2 - 1), nodes));
    LongStream between =
        IntStream.range(0, nodes / 10)
            .mapToLong(i -> edgeFrom(i, 1 + 2 * random.nextInt(nodes / 2 - 1), nodes));
    return Graph.of(nodes, LongStream.concat(inside, between).toArray());
  }

  private static long edgeFrom(int node, int distance, int nodes) {
    return Graph.edge(node, (node + distance) % nodes);
  }

  @Test
  void edgesGoBothWaysAndCountOnce() {
    Graph graph = Graph.of(4, new long[] {Graph.edge(2, 0), Graph.edge(0, 2), Graph.edge(3, 2)});
    assertThat(graph.edges()).containsExactly(Graph.edge(0, 2), Graph.edge(2, 3));
    assertThat(IntStream.range(0, 4).map(graph::degree)).containsExactly(1, 0, 2, 1);
    assertThat(graph.neighbour(2, 0)).isZero();
    assertThat(graph.neighbour(2, 1)).isEqualTo(3);
    assertThat(graph.has(2, 3)).isTrue();
    assertThat(graph.has(3, 2)).isTrue();
    assertThat(graph.has(0, 3)).isFalse();
  }

  @Test
  void classesAreThoseThatHaveAFileAndAnEdge() {
    List<ClassFile> files =
        List.of(
            new ClassFile("p/A", 1, List.of("p/B", "p/B", "p/Missing")),
            new ClassFile("p/B", 1, List.of("p/A", "p/C")),
            new ClassFile("p/C", 1, List.of()),
            new ClassFile("p/Alone", 1, List.of("p/Missing")));
    ClassGraph graph = ClassGraph.of(files, 10, 1);
    assertThat(graph.names()).containsExactlyInAnyOrder("p.A", "p.B", "p.C");
    assertThat(edges(graph)).containsExactlyInAnyOrder("p.A p.B", "p.B p.C");
    // of the two classes with one neighbour, the first one stays
    assertThat(edges(ClassGraph.of(files, 2, 1))).containsExactly("p.A p.B");
  }

  private static List<String> edges(ClassGraph graph) {
    return Arrays.stream(graph.graph().edges())
        .mapToObj(
            e ->
                Arrays.asList(graph.names().get(Graph.low(e)), graph.names().get(Graph.high(e)))
                    .stream()
                    .sorted()
                    .reduce((a, b) -> a + " " + b)
                    .orElseThrow())
        .toList();
  }

  @Test
  void noNodeLosesItsLastEdge() {
    Graph graph = twoGroups(200);
    HeldOut heldOut = HeldOut.of(graph, 0.9, 3);
    assertThat(IntStream.range(0, 200).map(heldOut.training()::degree))
        .allMatch(degree -> degree > 0);
    long[] all =
        LongStream.concat(LongStream.of(heldOut.training().edges()), LongStream.of(heldOut.edges()))
            .sorted()
            .toArray();
    assertThat(all).isEqualTo(graph.edges());
  }

  @Test
  void aShareOfTheEdgesIsHeldOutBesideAsManyPairsWithoutOne() {
    Graph graph = twoGroups(200);
    HeldOut heldOut = HeldOut.of(graph, 0.05, 3);
    assertThat(heldOut.edges()).hasSize((int) Math.round(graph.edges().length * 0.05));
    assertThat(heldOut.others()).hasSameSizeAs(heldOut.edges());
    assertThat(LongStream.of(heldOut.others()))
        .allMatch(e -> Graph.low(e) < Graph.high(e) && !graph.has(Graph.low(e), Graph.high(e)));
    assertThat(HeldOut.of(graph, 0.05, 3).edges()).isEqualTo(heldOut.edges());
    assertThat(HeldOut.of(graph, 0.05, 4).edges()).isNotEqualTo(heldOut.edges());
  }

  @Test
  void walksGoAlongEdgesAndAreTheSameEachTime() {
    Graph graph = twoGroups(100);
    RandomWalks walks = new RandomWalks(graph, 12, 1);
    for (int node = 0; node < 100; node++) {
      int[] walk = walks.walk(2, node);
      assertThat(walk).hasSize(12).startsWith(node).isEqualTo(walks.walk(2, node));
      for (int i = 1; i < walk.length; i++) {
        assertThat(graph.has(walk[i - 1], walk[i])).isTrue();
      }
    }
    assertThat(walks.walk(0, 5)).isNotEqualTo(walks.walk(1, 5));
  }

  @Test
  void aStepLeadsToAnyNeighbourAsOften() {
    Graph star = Graph.of(4, new long[] {Graph.edge(0, 1), Graph.edge(0, 2), Graph.edge(0, 3)});
    RandomWalks walks = new RandomWalks(star, 2, 1);
    int[] counts = new int[4];
    for (int round = 0; round < 30_000; round++) {
      counts[walks.walk(round, 0)[1]]++;
    }
    assertThat(counts[0]).isZero();
    assertThat(Arrays.stream(counts).skip(1)).allMatch(count -> count > 9_600 && count < 10_400);
  }
}
