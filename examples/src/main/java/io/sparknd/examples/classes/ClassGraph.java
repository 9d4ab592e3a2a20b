/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.cli.classes.ClassFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The undirected graph of references between classes.
 *
 * @param names class names by node, such as {@code java.lang.Object}
 */
public record ClassGraph(List<String> names, Graph graph) {

  /**
   * Returns the graph of the {@code most} classes with the most neighbours, without classes that
   * have no neighbour among them. Nodes are in random order, so adjacent numbers are unrelated.
   */
  public static ClassGraph of(List<ClassFile> classes, int most, long seed) {
    ClassGraph all = all(classes);
    List<Integer> kept =
        IntStream.range(0, all.names.size())
            .boxed()
            .sorted(Comparator.comparingInt(node -> -all.graph.degree(node)))
            .limit(most)
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(kept, new Random(seed));
    return all.among(kept).connected();
  }

  private static ClassGraph all(List<ClassFile> classes) {
    Map<String, Integer> nodes = new HashMap<>();
    classes.forEach(file -> nodes.put(file.name(), nodes.size()));
    long[] edges =
        classes.stream()
            .flatMapToLong(file -> edges(file, nodes.get(file.name()), nodes))
            .toArray();
    return new ClassGraph(
        classes.stream().map(file -> file.name().replace('/', '.')).toList(),
        Graph.of(classes.size(), edges));
  }

  /** Returns the edges to classes with a class file; some referenced classes have none. */
  private static LongStream edges(ClassFile file, int from, Map<String, Integer> nodes) {
    return file.references().stream()
        .filter(nodes::containsKey)
        .mapToLong(to -> Graph.edge(from, nodes.get(to)));
  }

  /** Removes classes without neighbours. */
  private ClassGraph connected() {
    return among(
        IntStream.range(0, names.size()).filter(node -> graph.degree(node) > 0).boxed().toList());
  }

  /** Returns the subgraph of {@code kept}, renumbered in that order. */
  private ClassGraph among(List<Integer> kept) {
    Map<Integer, Integer> nodes = new HashMap<>();
    kept.forEach(node -> nodes.put(node, nodes.size()));
    long[] edges =
        LongStream.of(graph.edges())
            .filter(e -> nodes.containsKey(Graph.low(e)) && nodes.containsKey(Graph.high(e)))
            .map(e -> Graph.edge(nodes.get(Graph.low(e)), nodes.get(Graph.high(e))))
            .toArray();
    return new ClassGraph(kept.stream().map(names::get).toList(), Graph.of(kept.size(), edges));
  }
}
