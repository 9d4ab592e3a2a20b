/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A Redis server of Debian's package, without files. */
public final class RedisServer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a server. Skips the test if Redis is not installed. */
  public static RedisServer start() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "Redis is not installed");
    int port = PostgresServer.freePort();
    Process process =
        new ProcessBuilder(
                PROGRAM.toString(), "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
            .directory(Files.createTempDirectory("sparknd-redis").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RedisServer server = new RedisServer(process, port);
    server.awaitStart();
    return server;
  }

  private void awaitStart() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      try (Jedis redis = client()) {
        redis.ping();
        return;
      } catch (JedisConnectionException e) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
    throw new IllegalStateException("Redis does not answer");
  }

  public String address() {
    return "redis://127.0.0.1:" + port;
  }

  public Jedis client() {
    return new Jedis("127.0.0.1", port);
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
  }
}
