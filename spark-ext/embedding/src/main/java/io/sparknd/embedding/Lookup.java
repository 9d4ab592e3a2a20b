/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import java.io.Serializable;
import java.util.Objects;

/**
 * How lists of ids become one row each, by the rules of TensorFlow's {@code
 * embedding_lookup_sparse}. An empty list gives zeros, as {@code safe_embedding_lookup_sparse} has
 * it.
 *
 * @param combiner what is made of the rows of a list
 * @param maxNorm rows whose Euclidean norm is larger are scaled to it before anything else;
 *     positive, infinity for no limit
 * @param indices how doubtful ids are read. {@link BadIndices#IGNORE} leaves the id out along with
 *     its weight; {@link BadIndices#fill} puts a row of the value in its place
 */
public record Lookup(Combiner combiner, double maxNorm, IndexPolicy indices)
    implements Serializable {

  /**
   * @throws io.sparknd.tensor.SparkNdException if {@code maxNorm} is not positive
   */
  public Lookup {
    Objects.requireNonNull(combiner, "combiner");
    Objects.requireNonNull(indices, "indices");
    if (!(maxNorm > 0)) {
      throw EmbeddingErrors.maxNormNotPositive(maxNorm);
    }
  }

  /** Rows combined so, of any norm; bad and negative ids are errors. */
  public static Lookup of(Combiner combiner) {
    return new Lookup(combiner, Double.POSITIVE_INFINITY, IndexPolicy.STRICT);
  }

  /** {@link #of} {@link Combiner#SUM}. */
  public static Lookup sum() {
    return of(Combiner.SUM);
  }

  /** {@link #of} {@link Combiner#MEAN}. */
  public static Lookup mean() {
    return of(Combiner.MEAN);
  }

  /** {@link #of} {@link Combiner#SQRTN}. */
  public static Lookup sqrtn() {
    return of(Combiner.SQRTN);
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if {@code norm} is not positive
   */
  public Lookup withMaxNorm(double norm) {
    return new Lookup(combiner, norm, indices);
  }

  public Lookup withIndices(IndexPolicy policy) {
    return new Lookup(combiner, maxNorm, policy);
  }

  public Lookup withBadIndices(BadIndices bad) {
    return withIndices(new IndexPolicy(bad, indices.negative()));
  }

  public Lookup withNegativeIndices(NegativeIndices negative) {
    return withIndices(new IndexPolicy(indices.bad(), negative));
  }
}
