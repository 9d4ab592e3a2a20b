/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.TrainedRows;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A graph without some of its edges. A good embedding tells these edges from pairs without an edge.
 *
 * @param training the graph without the held-out edges; every node has an edge in it
 * @param edges the held-out edges
 * @param others as many random pairs of nodes without an edge
 */
public record HeldOut(Graph training, long[] edges, long[] others) {
  private static final StructType TYPE =
      StructType.fromDDL("label INT NOT NULL, score DOUBLE NOT NULL");

  /**
   * Holds out random edges.
   *
   * @param graph a graph in which every node has an edge
   * @param share the share of edges to hold out; fewer if nodes would lose their last edge
   */
  public static HeldOut of(Graph graph, double share, long seed) {
    long[] order = shuffled(graph.edges(), SeededDraws.of(seed, 0));
    int[] degrees = IntStream.range(0, graph.nodes()).map(graph::degree).toArray();
    long wanted = Math.round(share * order.length);
    long[] out =
        LongStream.of(order).filter(edge -> takesOut(edge, degrees)).limit(wanted).toArray();
    long[] sorted = LongStream.of(out).sorted().toArray();
    long[] left = LongStream.of(order).filter(e -> Arrays.binarySearch(sorted, e) < 0).toArray();
    return new HeldOut(
        Graph.of(graph.nodes(), left),
        out,
        withoutEdge(graph, out.length, SeededDraws.of(seed, 1)));
  }

  private static boolean takesOut(long edge, int[] degrees) {
    int a = Graph.low(edge);
    int b = Graph.high(edge);
    if (degrees[a] < 2 || degrees[b] < 2) {
      return false;
    }
    degrees[a]--;
    degrees[b]--;
    return true;
  }

  private static long[] withoutEdge(Graph graph, int count, SplittableRandom random) {
    return LongStream.generate(
            () -> Graph.edge(random.nextInt(graph.nodes()), random.nextInt(graph.nodes())))
        .filter(e -> Graph.low(e) != Graph.high(e) && !graph.has(Graph.low(e), Graph.high(e)))
        .limit(count)
        .toArray();
  }

  private static long[] shuffled(long[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
    return values;
  }

  /**
   * Scores edges and other pairs by the cosine of the two nodes' vectors: {@code label}, 1 for an
   * edge, and {@code score}.
   */
  public Dataset<Row> byCosine(SparkSession spark, TrainedRows vectors) {
    return predictions(spark, vectors::cosine);
  }

  /**
   * Scores them by the inner products of each node's vector and the other's context vector.
   *
   * @param contexts the row of the first node's context vector
   */
  public Dataset<Row> byContexts(SparkSession spark, TrainedRows both, int contexts) {
    return predictions(spark, (a, b) -> both.dot(a, contexts + b) + both.dot(b, contexts + a));
  }

  private Dataset<Row> predictions(SparkSession spark, Score score) {
    return spark.createDataFrame(
        Stream.concat(rows(edges, 1, score), rows(others, 0, score)).toList(), TYPE);
  }

  private static Stream<Row> rows(long[] pairs, int label, Score score) {
    return LongStream.of(pairs)
        .mapToObj(pair -> RowFactory.create(label, score.of(Graph.low(pair), Graph.high(pair))));
  }

  /** Scores how likely an edge between two nodes is. */
  private interface Score {
    double of(int a, int b);
  }
}
