/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.SqlHash;

/** Makes keys of {@link EmbeddingSpec#keyed} tables from values of columns. */
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

  /**
   * Returns the key of a string in a key space, which is the name of a column unless {@link
   * io.sparknd.embedding.feed.KeySpace#named} gives another. SQL: {@code xxhash64(space, string)}.
   */
  public static long of(String space, String string) {
    return SqlHash.xxhash64(space, string);
  }

  /**
   * Returns the key of an integer in a key space. SQL: {@code xxhash64(space, CAST(number AS
   * bigint))}.
   */
  public static long of(String space, long number) {
    return SqlHash.xxhash64(space, number);
  }

  /** Returns the key of missing values in a key space. SQL: {@code xxhash64(space)}. */
  public static long missing(String space) {
    return SqlHash.xxhash64(space);
  }
}
