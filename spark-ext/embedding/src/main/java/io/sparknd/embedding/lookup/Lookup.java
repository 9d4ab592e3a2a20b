/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import java.io.Serializable;
import java.util.Objects;

/**
 * Defines how a list of ids becomes one row, by the rules of TensorFlow's {@code
 * embedding_lookup_sparse}. An empty list gives zeros, as in {@code safe_embedding_lookup_sparse}.
 *
 * @param combiner combines the rows of a list
 * @param maxNorm rows with a larger Euclidean norm are scaled to it before they are weighted;
 *     positive, infinity for no limit
 * @param indices policy for bad and negative ids. {@link BadIndices#IGNORE} omits the id and its
 *     weight; {@link BadIndices#fill} uses a row of the fill value instead. Of a table of keys
 *     another policy than {@link IndexPolicy#STRICT} is an error: every id is a key
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

  /** Returns a lookup without a norm limit, for which bad and negative ids are errors. */
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
   * Limits the Euclidean norm of rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code norm} is not positive
   */
  public Lookup withMaxNorm(double norm) {
    return new Lookup(combiner, norm, indices);
  }

  public Lookup withIndices(IndexPolicy policy) {
    return new Lookup(combiner, maxNorm, policy);
  }

  /**
   * Sets the policy for ids out of bounds. {@link BadIndices#IGNORE} drops negative ids too, unless
   * they wrap or {@link #withNegativeIndices} makes them errors afterwards.
   */
  public Lookup withBadIndices(BadIndices bad) {
    return withIndices(indices.withBad(bad));
  }

  public Lookup withNegativeIndices(NegativeIndices negative) {
    return withIndices(new IndexPolicy(indices.bad(), negative));
  }
}
