/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/**
 * A change of a table of string keys: values that are added to those of some keys.
 *
 * @param rows the rows of the table
 * @param percent the percentage of keys that are updated
 */
record KeyedChange(KeyedValues values, ParquetCodec codec, int rows, KeySpread keys, int percent) {
  private static final int ROWS_PER_BUCKET = 1 << 17;
  private static final int FEWEST_BUCKETS = 8;

  int updates() {
    return (int) ((long) rows * percent / 100);
  }

  /** The buckets of all tables: as many as a feature table of so many rows has, but at least 8. */
  int buckets() {
    return Math.max(FEWEST_BUCKETS, Integer.highestOneBit(rows / ROWS_PER_BUCKET));
  }

  /** Such as {@code 10M-uuid-vector-uniform-1}, or {@code 10M-uuid-counters-lz4_raw-uniform-1}. */
  String id() {
    String kept = codec == ParquetCodec.ZSTD ? values.toString() : values + "-" + codec;
    return String.join("-", size(rows), "uuid", kept, keys.toString(), Integer.toString(percent));
  }

  /** Whether both are changes of the same table. */
  boolean isOfTableOf(KeyedChange other) {
    return values == other.values && codec == other.codec && rows == other.rows;
  }

  /** Such as {@code 10M} or {@code 100k}. */
  static String size(long rows) {
    return rows < 1_000_000 ? rows / 1_000 + "k" : rows / 1_000_000 + "M";
  }

  /** The highest ratio of our time to the fastest MERGE's that meets the goal. */
  double goal() {
    return percent > 1 ? 1 / 2.0 : 1 / 3.0;
  }
}
