/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.nearest.VectorMetric;
import java.util.Objects;

/**
 * A directory of Apache Lucene 9 with one segment, in which {@link
 * io.sparknd.embedding.nearest.HnswIndex} finds approximate nearest neighbors by a hierarchical
 * navigable small world graph (Malkov and Yashunin, 2016). It has the written rows of the table, in
 * float32, of at most 1024 elements and a Euclidean norm of 6e18. The graph has each vector once:
 * equal rows hide no others, and are found together. Rows of zeros have no direction, and are not
 * in an index of {@link VectorMetric#COSINE}.
 *
 * <p>Rows are stored times powers of two, at least 1: in an index of {@link VectorMetric#COSINE}
 * each tiny row, in others all rows by the same power, which makes the largest weight about {@code
 * 2^40}. Scores are those of the rows themselves. The graph compares rows by Lucene's float32
 * scores, which cannot tell apart what differs by less than {@code 2^-24} of the squared distance,
 * of the dot product, or of the cosine's range, nor distances below {@code 2^-52} of the largest
 * weight.
 *
 * <p>Needs {@code org.apache.lucene:lucene-core} on the driver, and memory for the graph of all
 * distinct rows while it is built: about {@code 16 * connections + 100} bytes a row. A temporary
 * file in the new directory has the distinct rows until then.
 *
 * @param connections maximum neighbors of a node of the graph, {@code M}, in {@code [2, 512]}
 * @param constructionCandidates candidates for these when a row is added, {@code efConstruction},
 *     in {@code [1, 3200]}; more find better ones and take longer
 */
public record HnswFormat(VectorMetric metric, int connections, int constructionCandidates)
    implements ExportFormat {
  static final int DEFAULT_CONNECTIONS = 16;
  static final int DEFAULT_CONSTRUCTION_CANDIDATES = 100;
  private static final int MAX_CONNECTIONS = 512;
  private static final int MAX_CANDIDATES = 3200;

  public HnswFormat {
    Objects.requireNonNull(metric, "metric");
    check("connections", connections, 2, MAX_CONNECTIONS);
    check("constructionCandidates", constructionCandidates, 1, MAX_CANDIDATES);
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw EmbeddingErrors.badIndexSize(name, value, least, most);
    }
  }

  public HnswFormat withConnections(int count) {
    return new HnswFormat(metric, count, constructionCandidates);
  }

  public HnswFormat withConstructionCandidates(int count) {
    return new HnswFormat(metric, connections, count);
  }
}
