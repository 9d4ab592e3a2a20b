/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/** The storage of the 64 float32 of a row. Values are small integers, so sums are exact. */
enum Layout {
  ARRAY("array<float>") {
    @Override
    Column slice(Column row, int salt) {
      Column[] elements =
          IntStream.range(0, WIDTH)
              .mapToObj(
                  j ->
                      functions
                          .hash(row, functions.lit(salt), functions.lit(j))
                          .bitwiseAND(MAX)
                          .cast("float"))
              .toArray(Column[]::new);
      return functions.array(elements);
    }
  },
  BINARY("binary") {
    @Override
    Column slice(Column row, int salt) {
      UDF2<Long, Integer, byte[]> bytes = Layout::bytes;
      return functions.udf(bytes, DataTypes.BinaryType).apply(row, functions.lit(salt));
    }
  };

  static final int WIDTH = 64;
  private static final int MAX = (1 << 20) - 1;
  private static final int SEED = 42; // the seed of Spark's hash()

  private final String type;

  Layout(String type) {
    this.type = type;
  }

  /** The type of the value column in SQL. */
  String type() {
    return type;
  }

  /** The value of a row; it depends on the salt and is the same in both layouts. */
  abstract Column slice(Column row, int salt);

  private static byte[] bytes(long row, int salt) {
    ByteBuffer bytes = ByteBuffer.allocate(WIDTH * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int hash = Murmur3_x86_32.hashInt(salt, Murmur3_x86_32.hashLong(row, SEED));
    for (int j = 0; j < WIDTH; j++) {
      bytes.putFloat(Murmur3_x86_32.hashInt(j, hash) & MAX);
    }
    return bytes.array();
  }

  /** SQL for the elementwise sum of two array columns, in a form that Spark compiles. */
  static String sum(String left, String right) {
    return IntStream.range(0, WIDTH)
        .mapToObj(j -> left + "[" + j + "] + " + right + "[" + j + "]")
        .collect(Collectors.joining(", ", "array(", ")"));
  }

  /** The name in table names and benchmark ids. */
  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
