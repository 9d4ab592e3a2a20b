/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.result.TablePublication;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLParameters;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The features in Redis, where servers look them up while a user waits.
 *
 * @param address address of the server, such as {@code redis://localhost:6379}
 */
public record OnlineStore(FeatureTable table, String address) {
  private static final int CHUNK = 1000;

  /** Returns whether a server answers. */
  public static boolean isAt(String address) {
    try (Jedis redis = connect(address)) {
      return redis.ping().equals("PONG");
    } catch (JedisException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Connects to a server; the certificate of one with TLS has to name its host. */
  private static Jedis connect(String address) {
    SSLParameters tls = new SSLParameters();
    tls.setEndpointIdentificationAlgorithm("HTTPS");
    return new Jedis(URI.create(address), null, tls, null);
  }

  /**
   * Returns the name of the position, and before {@code :} of each row, which no other table has.
   */
  public String name() {
    return "sparknd-example-" + table.iceberg().uuid();
  }

  /** Sends the rows that differ from those that the server has. */
  public TablePublication publish() {
    return table.publish(RedisSink.at(address).withName(name()));
  }

  /** Returns the views of users, in one round trip; the fill value of those without a row. */
  public List<Long> views(List<String> users) {
    try (Jedis redis = connect(address)) {
      Pipeline pipeline = redis.pipelined();
      List<Response<byte[]>> found =
          users.stream().map(user -> pipeline.hget(row(user), utf8("views"))).toList();
      pipeline.sync();
      return found.stream().map(Response::get).map(OnlineStore::number).toList();
    }
  }

  private static long number(byte[] bytes) {
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private byte[] row(String user) {
    return utf8(name() + ":" + user);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Removes the rows of users, and the position, from the server. */
  public void remove(List<String> users) {
    try (Jedis redis = connect(address)) {
      for (int from = 0; from < users.size(); from += CHUNK) {
        int to = Math.min(users.size(), from + CHUNK);
        redis.unlink(users.subList(from, to).stream().map(this::row).toArray(byte[][]::new));
      }
      redis.unlink(name());
    }
  }
}
