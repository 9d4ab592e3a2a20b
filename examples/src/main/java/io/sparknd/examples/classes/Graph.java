/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An undirected graph, stored as the sorted neighbours of each node. */
public final class Graph implements Serializable {
  private final int[] ends;
  private final int[] neighbours;

  private Graph(int[] ends, int[] neighbours) {
    this.ends = ends;
    this.neighbours = neighbours;
  }

  /**
   * Returns the graph of {@code edges}.
   *
   * @param edges edges from {@link #edge}; duplicates are allowed
   */
  public static Graph of(int nodes, long[] edges) {
    long[] both =
        Arrays.stream(edges)
            .flatMap(e -> LongStream.of(arc(low(e), high(e)), arc(high(e), low(e))))
            .sorted()
            .distinct()
            .toArray();
    int[] ends = new int[nodes];
    int[] neighbours = new int[both.length];
    for (int i = 0; i < both.length; i++) {
      ends[low(both[i])]++;
      neighbours[i] = high(both[i]);
    }
    Arrays.parallelPrefix(ends, Integer::sum);
    return new Graph(ends, neighbours);
  }

  /** Returns an edge between two nodes, in either order, as one number. */
  public static long edge(int a, int b) {
    return arc(Math.min(a, b), Math.max(a, b));
  }

  private static long arc(int from, int to) {
    return ((long) from << Integer.SIZE) | to;
  }

  /** The lower node of an edge. */
  public static int low(long edge) {
    return (int) (edge >>> Integer.SIZE);
  }

  /** The higher node of an edge. */
  public static int high(long edge) {
    return (int) edge;
  }

  /** The number of nodes. */
  public int nodes() {
    return ends.length;
  }

  /** The number of neighbours of a node. */
  public int degree(int node) {
    return ends[node] - start(node);
  }

  /** Returns the neighbour of a node at position {@code place}, from 0. */
  public int neighbour(int node, int place) {
    return neighbours[start(node) + place];
  }

  /** Whether there is an edge between two nodes. */
  public boolean has(int a, int b) {
    return Arrays.binarySearch(neighbours, start(a), ends[a], b) >= 0;
  }

  /** All edges, each once, sorted. */
  public long[] edges() {
    return IntStream.range(0, nodes())
        .mapToObj(
            node ->
                Arrays.stream(neighbours, start(node), ends[node])
                    .filter(other -> other >= node)
                    .mapToLong(other -> edge(node, other)))
        .flatMapToLong(edges -> edges)
        .toArray();
  }

  private int start(int node) {
    return node == 0 ? 0 : ends[node - 1];
  }
}
