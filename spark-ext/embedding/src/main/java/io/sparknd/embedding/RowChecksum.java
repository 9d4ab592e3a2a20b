/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Computes a checksum of row values in order. {@code Row.hashCode} cannot be used: for binary
 * values it hashes the object, not its bytes.
 */
final class RowChecksum {
  private static final long PRIME = 0x9e3779b97f4a7c15L;

  private RowChecksum() {}

  /** Returns the checksum of the lists and their rows in order; list sizes are included. */
  static long of(List<List<Row>> batches) {
    long sum = 0;
    for (List<Row> batch : batches) {
      sum = and(sum, batch.size());
      for (Row row : batch) {
        sum = and(sum, of(row));
      }
    }
    return sum;
  }

  private static long of(Object value) {
    if (value instanceof Row row) {
      long sum = 1;
      for (int i = 0; i < row.length(); i++) {
        sum = and(sum, of(row.get(i)));
      }
      return sum;
    }
    if (value instanceof scala.collection.Map<?, ?> map) {
      long sum = 2;
      for (Map.Entry<?, ?> entry : CollectionConverters.asJava(map).entrySet()) {
        sum += and(of(entry.getKey()), of(entry.getValue())); // a map has no order
      }
      return sum;
    }
    if (value instanceof Iterable<?> elements) {
      long sum = 3;
      for (Object element : CollectionConverters.asJava(elements)) {
        sum = and(sum, of(element));
      }
      return sum;
    }
    return ofOne(value);
  }

  private static long ofOne(Object value) {
    if (value == null) {
      return PRIME;
    }
    if (value instanceof byte[] bytes) {
      return Arrays.hashCode(bytes);
    }
    if (value instanceof Long number) {
      return number;
    }
    return value instanceof Double number ? Double.doubleToRawLongBits(number) : value.hashCode();
  }

  /** Combines two checksums; the result depends on their order. */
  private static long and(long sum, long next) {
    long mixed = (Long.rotateLeft(sum, 23) ^ next) * PRIME;
    return mixed ^ (mixed >>> 32);
  }
}
