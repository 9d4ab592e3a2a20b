/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SSLOptions;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskKilledException;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The port at which this executor receives messages of tasks, as long as it lives. It is opened as
 * that of Spark's block transfer is, with the same authentication and encryption.
 */
final class ExecutorPort {
  /** Where executors cannot reach each other, shuffles soon go on. */
  private static final String CONNECT_TIMEOUT = "10s";

  private static @Nullable ExecutorPort current;

  private final SparkEnv env;
  private final Map<Long, TaskMailbox> mailboxes = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final FrameBuffers buffers = new FrameBuffers();
  private final TransportClientFactory clients;
  private final String host;
  private final int port;

  private ExecutorPort(SparkEnv env) {
    this.env = env;
    SparkConf conf = env.conf().clone();
    conf.setIfMissing("spark.shuffle.io.connectionCreationTimeout", CONNECT_TIMEOUT);
    int cores = conf.getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
    Option<SSLOptions> ssl = Option.apply(env.securityManager().getRpcSSLOptions());
    TransportConf transport =
        SparkTransportConf.fromSparkConf(conf, "shuffle", cores, Option.empty(), ssl);
    TransportContext context = new TransportContext(transport, new Receiver());
    boolean isSecure = env.securityManager().isAuthenticationEnabled();
    List<TransportClientBootstrap> client =
        isSecure
            ? List.of(new AuthClientBootstrap(transport, conf.getAppId(), env.securityManager()))
            : List.of();
    List<TransportServerBootstrap> server =
        isSecure ? List.of(new AuthServerBootstrap(transport, env.securityManager())) : List.of();
    this.host = env.blockManager().blockTransferService().hostName();
    // before the clients, which nobody would close if it failed
    TransportServer opened = context.createServer(host, 0, server);
    this.port = opened.getPort();
    this.clients = context.createClientFactory(client);
  }

  /** Returns the port of this executor. */
  static synchronized ExecutorPort current() {
    SparkEnv env = SparkEnv.get();
    if (current == null || current.env != env) {
      current = new ExecutorPort(env);
    }
    return current;
  }

  /** Opens a mailbox, and returns its number. */
  long open(TaskMailbox mailbox) {
    long number = numbers.incrementAndGet();
    mailboxes.put(number, mailbox);
    return number;
  }

  void close(long mailbox) {
    mailboxes.remove(mailbox);
  }

  @Nullable TaskMailbox mailbox(long number) {
    return mailboxes.get(number);
  }

  /** Returns the buffers of the frames of this executor. */
  FrameBuffers buffers() {
    return buffers;
  }

  TaskAddress address(long mailbox) {
    return new TaskAddress(host, port, mailbox);
  }

  /** Returns a connection to another executor. */
  TransportClient client(TaskAddress to) {
    try {
      return clients.createClient(to.host(), to.port());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new TaskKilledException("interrupted while it connected to " + to);
    }
  }

  /** Delivers frames to the mailboxes of this executor. */
  private final class Receiver extends RpcHandler {
    private final StreamManager streams = new OneForOneStreamManager();

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback answer) {
      throw new UnsupportedOperationException("frames are sent as streams");
    }

    @Override
    public StreamCallbackWithID receiveStream(
        TransportClient client, ByteBuffer message, RpcResponseCallback answer) {
      FrameHeader header = FrameHeader.read(message);
      return new FrameReceiver(header, mailboxes.get(header.mailbox()));
    }

    @Override
    public StreamManager getStreamManager() {
      return streams;
    }
  }
}
