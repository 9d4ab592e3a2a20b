/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;

/**
 * What a table is to be.
 *
 * @param rows ids are below; rows that were never written take no memory. 0 for a {@link #keyed}
 *     table
 * @param dim weights in a row
 * @param optimizer of all rows
 * @param dtype of weights: float32, float16 or bfloat16; what the optimizer keeps is float32, and
 *     so is all arithmetic, rounded once a step
 * @param initializer of rows; weights are zeros unless given
 * @param partitions of the table; 0 for as many as the cluster has cores
 * @param rounding of float16 and bfloat16 weights after a step; stochastic unless given
 * @param badGradients what happens to gradients that are NaN or infinite; an error unless given
 */
public record EmbeddingSpec(
    long rows,
    int dim,
    Optimizer optimizer,
    DType dtype,
    Initializer initializer,
    int partitions,
    WeightRounding rounding,
    BadGradients badGradients) {
  public EmbeddingSpec {
    if (rows < 0 || dim < 1 || partitions < 0) {
      throw EmbeddingErrors.badEmbedding(rows, dim, partitions);
    }
  }

  /**
   * @param rows at least 1
   */
  public static EmbeddingSpec of(long rows, int dim, Optimizer optimizer) {
    if (rows < 1) {
      throw EmbeddingErrors.badEmbedding(rows, dim, 0);
    }
    return float32(rows, dim, optimizer);
  }

  /**
   * A table whose ids are keys: any 64 bits, such as what {@link EmbeddingKeys} makes of strings.
   * It begins without rows; a key gets one when a gradient comes for it first, with the weights
   * that the initializer makes of the key. A key without a row is read as that, too, and stays
   * without.
   */
  public static EmbeddingSpec keyed(int dim, Optimizer optimizer) {
    return float32(0, dim, optimizer);
  }

  private static EmbeddingSpec float32(long rows, int dim, Optimizer optimizer) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        DType.FLOAT32,
        Initializer.zeros(),
        0,
        WeightRounding.STOCHASTIC,
        BadGradients.error());
  }

  /** Whether ids are keys. */
  public boolean isKeyed() {
    return rows == 0;
  }

  public EmbeddingSpec withDType(DType other) {
    return new EmbeddingSpec(
        rows, dim, optimizer, other, initializer, partitions, rounding, badGradients);
  }

  public EmbeddingSpec withInitializer(Initializer other) {
    return new EmbeddingSpec(
        rows, dim, optimizer, dtype, other, partitions, rounding, badGradients);
  }

  public EmbeddingSpec withPartitions(int count) {
    return new EmbeddingSpec(
        rows, dim, optimizer, dtype, initializer, count, rounding, badGradients);
  }

  /** Another rounding of float16 and bfloat16 weights. */
  public EmbeddingSpec withRounding(WeightRounding other) {
    return new EmbeddingSpec(
        rows, dim, optimizer, dtype, initializer, partitions, other, badGradients);
  }

  /** What happens to gradients that are NaN or infinite. */
  public EmbeddingSpec withBadGradients(BadGradients other) {
    return new EmbeddingSpec(rows, dim, optimizer, dtype, initializer, partitions, rounding, other);
  }
}
