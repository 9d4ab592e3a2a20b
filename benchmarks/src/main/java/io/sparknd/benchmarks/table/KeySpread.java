/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.col;

import java.util.Locale;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** Which string keys are updated, of keys that are random UUIDs. */
enum KeySpread {
  /** Keys drawn from all of them. */
  UNIFORM {
    @Override
    Dataset<Row> of(Dataset<Row> keys, KeyedChange change, int seed) {
      return keys.orderBy(functions.xxhash64(col("key"), functions.lit(seed)))
          .limit(change.updates());
    }
  },

  /** One range of keys in their order, about as many as asked for; every bucket has some. */
  NEIGHBOURS {
    @Override
    Dataset<Row> of(Dataset<Row> keys, KeyedChange change, int seed) {
      int width = PREFIXES * change.percent() / 100;
      int first = random(seed).nextInt(PREFIXES - width);
      return keys.where(col("key").between(prefix(first), prefix(first + width)));
    }
  },

  /** Keys of as few buckets as have enough. */
  BUCKETS {
    @Override
    Dataset<Row> of(Dataset<Row> keys, KeyedChange change, int seed) {
      int count = -Math.floorDiv(-change.buckets() * change.percent(), 100);
      int first = random(seed).nextInt(change.buckets() - count + 1);
      return keys.where(
              functions
                  .expr(KeyedInputs.bucket(change.buckets()))
                  .between(first, first + count - 1))
          .limit(change.updates());
    }
  };

  /** The number of prefixes of four hexadecimal digits. */
  private static final int PREFIXES = 1 << 16;

  private static final long MIX = 0x9e3779b97f4a7c15L;

  /**
   * @param keys all keys, a column {@code key}
   */
  abstract Dataset<Row> of(Dataset<Row> keys, KeyedChange change, int seed);

  /** Java's first numbers of seeds that differ little differ little. */
  private static Random random(int seed) {
    return new Random(MIX * seed);
  }

  private static String prefix(int number) {
    return String.format("%04x", number);
  }

  /** The name in benchmark ids. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
