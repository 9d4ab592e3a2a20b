/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.types.UTF8String;

/** Hashes as SQL functions give them. */
public final class SqlHash {
  /** What {@code xxhash64} begins with. */
  private static final long SEED = 42;

  private SqlHash() {}

  /** {@code xxhash64(string)}, of a string that is not null. */
  public static long xxhash64(String string) {
    return XXH64.hashUTF8String(UTF8String.fromString(string), SEED);
  }
}
