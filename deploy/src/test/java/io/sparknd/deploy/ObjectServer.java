/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An object store with the part of Amazon's S3 protocol that Iceberg needs, on the JDK's HTTP
 * server. Requests must be signed with the access key; signatures are not verified. Objects are in
 * memory. With a folder, they are also stored there and reloaded at the next start.
 */
final class ObjectServer implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
  private static final Pattern PREFIX = Pattern.compile("[?&]prefix=([^&]*)");
  private static final String FOLDER = "-dir=";
  private static final int PORT = 8333;
  private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

  private final HttpServer server;

  // unbounded, because a client may send requests while earlier responses are unread
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final String accessKey;

  /** Null if objects are only in memory. */
  private final Path folder;

  private ObjectServer(String accessKey, Path folder, InetSocketAddress address)
      throws IOException {
    this.accessKey = accessKey;
    this.folder = folder;
    if (folder != null) {
      load();
    }
    server = HttpServer.create(address, 0);
    server.createContext("/", this::serve);
    server.createContext("/healthz", call -> answer(call, 200, new byte[0]));
    server.setExecutor(threads);
    server.start();
  }

  static ObjectServer start(String accessKey) throws IOException {
    return new ObjectServer(
        accessKey, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Runs the service {@code storage} of {@code docker-compose.yml}, with its arguments. */
  public static void main(String[] arguments) throws IOException {
    String folder =
        Stream.of(arguments)
            .filter(each -> each.startsWith(FOLDER))
            .map(each -> each.substring(FOLDER.length()))
            .findFirst()
            .orElseThrow();
    new ObjectServer(
        System.getenv("AWS_ACCESS_KEY_ID"), Path.of(folder), new InetSocketAddress(PORT));
  }

  private void load() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        objects.put("/" + folder.relativize(file), Files.readAllBytes(file));
      }
    }
  }

  private void put(String name, byte[] object) throws IOException {
    objects.put(name, object);
    if (folder != null) {
      Path file = file(name);
      Files.createDirectories(file.getParent());
      Files.write(file, object);
    }
  }

  private void remove(String name) throws IOException {
    objects.remove(name);
    if (folder != null) {
      Files.deleteIfExists(file(name));
    }
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name.substring(1)).normalize();
    if (!file.startsWith(folder)) {
      throw new IOException(name + " is outside " + folder);
    }
    return file;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the names of all objects as {@code /bucket/key}. */
  List<String> names() {
    return List.copyOf(objects.keySet());
  }

  private void serve(HttpExchange call) throws IOException {
    try (call) {
      String name = call.getRequestURI().getPath();
      String signed = call.getRequestHeaders().getFirst("Authorization");
      if (signed == null || !signed.contains("Credential=" + accessKey + "/")) {
        answer(call, 403, new byte[0]);
        return;
      }
      switch (call.getRequestMethod()) {
        case "PUT" -> {
          put(name, body(call));
          answer(call, 200, new byte[0]);
        }
        case "DELETE" -> {
          remove(name);
          answer(call, 204, new byte[0]);
        }
        case "POST" -> {
          String requested = new String(body(call), UTF_8);
          for (MatchResult key : KEY.matcher(requested).results().toList()) {
            remove(name + "/" + key.group(1));
          }
          answer(call, 200, "<DeleteResult></DeleteResult>".getBytes(UTF_8));
        }
        default -> {
          Matcher prefix = PREFIX.matcher(call.getRequestURI().toString());
          if (prefix.find()) {
            list(call, name, URLDecoder.decode(prefix.group(1), UTF_8));
          } else {
            read(call, objects.get(name));
          }
        }
      }
    }
  }

  /** Lists all objects on one page. */
  private void list(HttpExchange call, String bucket, String prefix) throws IOException {
    StringBuilder found = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
    objects.forEach(
        (name, object) -> {
          if (name.startsWith(bucket + "/" + prefix)) {
            found
                .append("<Contents><Key>")
                .append(name.substring(bucket.length() + 1))
                .append("</Key><LastModified>2026-03-01T00:00:00.000Z</LastModified><Size>")
                .append(object.length)
                .append("</Size></Contents>");
          }
        });
    answer(call, 200, found.append("</ListBucketResult>").toString().getBytes(UTF_8));
  }

  private static void read(HttpExchange call, byte[] object) throws IOException {
    if (object == null) {
      answer(call, 404, "<Error><Code>NoSuchKey</Code></Error>".getBytes(UTF_8));
      return;
    }
    String requested = call.getRequestHeaders().getFirst("Range");
    if (requested == null) {
      answer(call, 200, object);
      return;
    }
    MatchResult range = RANGE.matcher(requested).results().findFirst().orElseThrow();
    int from = Integer.parseInt(range.group(1));
    int last =
        range.group(2).isEmpty()
            ? object.length - 1
            : Math.min(object.length - 1, Integer.parseInt(range.group(2)));
    call.getResponseHeaders()
        .set("Content-Range", "bytes " + from + "-" + last + "/" + object.length);
    answer(call, 206, Arrays.copyOfRange(object, from, last + 1));
  }

  private static void answer(HttpExchange call, int status, byte[] body) throws IOException {
    boolean isHead = call.getRequestMethod().equals("HEAD");
    call.getResponseHeaders().set("Last-Modified", "Sun, 01 Mar 2026 00:00:00 GMT");
    call.getResponseHeaders().set("ETag", "\"" + Arrays.hashCode(body) + "\"");
    if (isHead) {
      call.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
    }
    call.sendResponseHeaders(status, isHead || body.length == 0 ? -1 : body.length);
    if (!isHead && body.length > 0) {
      call.getResponseBody().write(body);
    }
  }

  /** Returns the request body without the chunk headers and checksums of Amazon's client. */
  private static byte[] body(HttpExchange call) throws IOException {
    byte[] sent = call.getRequestBody().readAllBytes();
    String encoding = call.getRequestHeaders().getFirst("Content-Encoding");
    if (encoding == null || !encoding.contains("aws-chunked")) {
      return sent;
    }
    InputStream in = new ByteArrayInputStream(sent);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int size = size(in); size > 0; size = size(in)) {
      out.write(in.readNBytes(size));
      in.skipNBytes(2);
    }
    return out.toByteArray();
  }

  /** Parses a chunk size from a line such as {@code 400;chunk-signature=...}. */
  private static int size(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      line.append((char) c);
    }
    return Integer.parseInt(line.toString().strip().replaceAll(";.*", ""), 16);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
