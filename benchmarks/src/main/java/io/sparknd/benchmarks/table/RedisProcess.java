/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A Redis server on loopback that keeps its rows in memory only. */
final class RedisProcess implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");
  private static final String HOST = "127.0.0.1";
  private static final int TRIES = 200;

  private final Process process;
  private final int port;

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  static RedisProcess start(Path directory) {
    try {
      int port = freePort();
      Process process =
          new ProcessBuilder(
                  PROGRAM.toString(),
                  "--port",
                  Integer.toString(port),
                  "--bind",
                  HOST,
                  "--save",
                  "")
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      RedisProcess redis = new RedisProcess(process, port);
      redis.awaitStart();
      return redis;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitStart() {
    for (int i = 0; i < TRIES; i++) {
      try (Jedis client = client()) {
        client.ping();
        return;
      } catch (JedisConnectionException e) {
        sleep();
      }
    }
    throw new IllegalStateException("Redis does not answer");
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String address() {
    return "redis://" + HOST + ":" + port;
  }

  Jedis client() {
    return new Jedis(HOST, port);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
