/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.types.UTF8String;

/** Computes hashes as SQL functions do. */
public final class SqlHash {
  /** The seed of {@code xxhash64}. */
  private static final long SEED = 42;

  private SqlHash() {}

  /** Returns {@code xxhash64(string)} of a string that is not null. */
  public static long xxhash64(String string) {
    return XXH64.hashUTF8String(UTF8String.fromString(string), SEED);
  }

  /** Returns {@code xxhash64(first, string)} of strings that are not null. */
  public static long xxhash64(String first, String string) {
    return XXH64.hashUTF8String(UTF8String.fromString(string), xxhash64(first));
  }

  /** Returns {@code xxhash64(first, number)} of a string that is not null and a bigint. */
  public static long xxhash64(String first, long number) {
    return XXH64.hashLong(number, xxhash64(first));
  }
}
