/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.functions;
import org.apache.spark.unsafe.Platform;

/**
 * What a table holds.
 *
 * @param rows the number of rows
 * @param hash the exclusive or of the hashes of all rows, each of its key and its values in order
 */
record RowHash(long rows, long hash) implements Serializable {
  static final RowHash NONE = new RowHash(0, 0);

  private static final long SEED = 42; // of Spark's xxhash64

  /** Reads a table in Spark. Rows are hashed by the same loop as those that Paimon reads. */
  static RowHash of(SparkSession spark, String table, KeyedValues values) {
    Column[] columns =
        Stream.concat(Stream.of("key"), values.names().stream())
            .map(functions::col)
            .toArray(Column[]::new);
    return InternalRows.of(spark.table(table).select(columns))
        .mapPartitions(rows -> of(rows, values))
        .fold(NONE, RowHash::and);
  }

  private static Iterator<RowHash> of(Iterator<InternalRow> rows, KeyedValues values) {
    long count = 0;
    long all = 0;
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      all ^= values.hash(row, hash(row.getUTF8String(0).getBytes()));
      count++;
    }
    return List.of(new RowHash(count, all)).iterator();
  }

  /** Returns the hash of a key, with which that of its values begins. */
  static long hash(byte[] key) {
    return XXH64.hashUnsafeBytes(key, Platform.BYTE_ARRAY_OFFSET, key.length, SEED);
  }

  RowHash and(RowHash other) {
    return new RowHash(rows + other.rows, hash ^ other.hash);
  }
}
