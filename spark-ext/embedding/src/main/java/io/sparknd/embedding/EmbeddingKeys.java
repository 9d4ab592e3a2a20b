/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.spark.SqlHash;

/** Keys of {@link EmbeddingSpec#keyed} tables, made of what is no number. */
public final class EmbeddingKeys {
  private EmbeddingKeys() {}

  /**
   * A hash of the string, the one that {@code xxhash64} gives in Spark SQL for a column of strings.
   * So a key is the same whether it was made in a query or by a program.
   *
   * <p>Two strings that get the same key share a row. That two of {@code n} do has a probability of
   * about {@code n² / 2^65}: of 10^8 strings, 3e-4.
   */
  public static long of(String string) {
    return SqlHash.xxhash64(string);
  }
}
