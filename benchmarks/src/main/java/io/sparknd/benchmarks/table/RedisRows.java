/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.Serializable;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/**
 * Rows {@code (key, seen, value)} of a Dataset as hashes of Redis, written and checked as one does
 * by hand: by a pipeline in each task.
 *
 * @param prefix begin of the keys
 */
record RedisRows(String address, String prefix) implements Serializable {
  private static final int AT_ONCE = 500;
  private static final byte[] SEEN = "seen".getBytes(StandardCharsets.UTF_8);
  private static final byte[] VALUE = "value".getBytes(StandardCharsets.UTF_8);

  /** Writes all rows; returns the bytes of keys and values. */
  long write(Dataset<Row> rows) {
    return sum(rows, this::write);
  }

  private static long sum(Dataset<Row> rows, FlatMapFunction<Iterator<Row>, Long> task) {
    return rows.select("key", "seen", "value").toJavaRDD().mapPartitions(task).fold(0L, Long::sum);
  }

  private Iterator<Long> write(Iterator<Row> rows) {
    long bytes = 0;
    try (Jedis redis = new Jedis(URI.create(address));
        Pipeline pipeline = redis.pipelined()) {
      for (int i = 1; rows.hasNext(); i++) {
        Row row = rows.next();
        byte[] key = key(row);
        byte[] seen = seen(row);
        byte[] value = value(row);
        pipeline.hset(key, Map.of(SEEN, seen, VALUE, value));
        bytes += key.length + seen.length + value.length;
        if (i % AT_ONCE == 0) {
          pipeline.sync();
        }
      }
    }
    return List.of(bytes).iterator();
  }

  /** Returns the number of rows that the server does not have, or with other values. */
  long missing(Dataset<Row> rows) {
    return sum(rows, this::missing);
  }

  private Iterator<Long> missing(Iterator<Row> rows) {
    long missing = 0;
    try (Jedis redis = new Jedis(URI.create(address))) {
      while (rows.hasNext()) {
        List<Row> some = new ArrayList<>();
        while (rows.hasNext() && some.size() < AT_ONCE) {
          some.add(rows.next());
        }
        missing += missing(redis, some);
      }
    }
    return List.of(missing).iterator();
  }

  private long missing(Jedis redis, List<Row> rows) {
    List<Response<List<byte[]>>> found = new ArrayList<>();
    try (Pipeline pipeline = redis.pipelined()) {
      rows.forEach(row -> found.add(pipeline.hmget(key(row), SEEN, VALUE)));
    }
    long missing = 0;
    for (int i = 0; i < rows.size(); i++) {
      List<byte[]> values = found.get(i).get();
      boolean isSame =
          Arrays.equals(values.get(0), seen(rows.get(i)))
              && Arrays.equals(values.get(1), value(rows.get(i)));
      missing += isSame ? 0 : 1;
    }
    return missing;
  }

  private byte[] key(Row row) {
    return (prefix + ":" + row.getString(0)).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] seen(Row row) {
    return littleEndian(Long.BYTES).putLong(row.getLong(1)).array();
  }

  private static byte[] value(Row row) {
    ByteBuffer bytes = littleEndian(Layout.WIDTH * Float.BYTES);
    row.<Float>getList(2).forEach(bytes::putFloat);
    return bytes.array();
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
