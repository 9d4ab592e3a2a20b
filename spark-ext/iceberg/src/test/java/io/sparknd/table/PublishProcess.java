/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A JVM that publishes a table once, which a test may kill meanwhile. */
final class PublishProcess implements AutoCloseable {
  private static final String READY = "ready to publish";

  private final Process process;
  private final BufferedReader output;

  private PublishProcess(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a process, which waits before it publishes. */
  static PublishProcess start(Path catalog, String table, PublishSink sink) throws IOException {
    String address =
        sink instanceof JdbcSink jdbc ? jdbc.url() : ((RedisSink) sink).uri().toString();
    PublishProcess started =
        new PublishProcess(
            JavaProcess.of(PublishProcess.class, catalog.toString(), table, address)
                .redirectErrorStream(true)
                .start());
    started.await();
    return started;
  }

  private void await() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.equals(READY)) {
        return;
      }
    }
    throw new IOException("the process ended before it was ready");
  }

  /**
   * Makes the process publish, and kills it after some time.
   *
   * @return whether it was killed before it ended
   */
  boolean killedAfter(int millis) throws Exception {
    process.outputWriter().append("\n").close();
    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      assertThat(process.exitValue()).isZero();
      return false;
    }
    close();
    return true;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /**
   * Publishes the table.
   *
   * @param args directory of the catalog, table, address of the store
   */
  public static void main(String[] args) throws Exception {
    FeatureTable table = FeatureTable.open(JavaProcess.session(args[0], args[1]), args[1]);
    boolean isRedis = args[2].startsWith("redis:");
    PublishSink sink =
        isRedis
            ? RedisSink.at(args[2]).withName(OnlineReplica.NAME).withValues(ValueFormat.JSON)
            : JdbcSink.at(args[2]).withName(OnlineReplica.NAME).withValues(ValueFormat.JSON);
    System.out.println(READY);
    if (System.in.read() >= 0) {
      table.publish(sink);
    }
    Runtime.getRuntime().halt(0);
  }
}
