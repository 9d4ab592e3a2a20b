/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/** A server with a certificate of its own that reads what one client sends first, and hangs up. */
public final class TlsServer implements AutoCloseable {
  private static final char[] PASSWORD = "password".toCharArray();

  private final SSLContext context;
  private final SSLServerSocket socket;
  private final CompletableFuture<String> received;

  private TlsServer(SSLContext context, SSLServerSocket socket) {
    this.context = context;
    this.socket = socket;
    this.received = CompletableFuture.supplyAsync(this::receive);
  }

  /** Starts a server with a certificate for a host. */
  public static TlsServer start(Path folder, String host) throws Exception {
    SSLContext context = context(certificate(folder, host));
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getByName("localhost"));
    return new TlsServer(context, socket);
  }

  private static KeyStore certificate(Path folder, String host) throws Exception {
    Path file = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }

  private static SSLContext context(KeyStore store) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("mykey"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private String receive() {
    try (Socket client = socket.accept();
        InputStream in = client.getInputStream()) {
      byte[] bytes = new byte[1024];
      int count = in.read(bytes);
      return count < 0 ? "" : new String(bytes, 0, count, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the context of clients, which trust the certificate. */
  public SSLContext context() {
    return context;
  }

  /** Returns the port on {@code localhost}. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Returns what the client sent; empty if it accepted no connection. */
  public String received() {
    return received.join();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
