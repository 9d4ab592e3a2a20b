/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.SqlHash;

/** Makes keys of {@link EmbeddingSpec#keyed} tables from values that are not numbers. */
public final class EmbeddingKeys {
  private EmbeddingKeys() {}

  /**
   * Returns the hash that Spark SQL's {@code xxhash64} gives for a string column. A key is
   * therefore the same whether a query or a program made it.
   *
   * <p>Two strings with the same key share a row. The probability that any two of {@code n} strings
   * do is about {@code n² / 2^65}: for 10^8 strings, 3e-4.
   */
  public static long of(String string) {
    return SqlHash.xxhash64(string);
  }
}
