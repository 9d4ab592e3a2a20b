/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.RESTResponse;
import org.apache.iceberg.rest.RESTSerializers;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.apache.iceberg.shaded.com.fasterxml.jackson.annotation.JsonAutoDetect;
import org.apache.iceberg.shaded.com.fasterxml.jackson.annotation.PropertyAccessor;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.DeserializationFeature;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.PropertyNamingStrategies;

/**
 * A REST catalog over a JDBC catalog: Iceberg's handlers behind the JDK's HTTP server. It
 * implements only the requests that tables need.
 */
public final class RestServer implements AutoCloseable {
  private static final int FAILED = 500;
  private static final int UNAVAILABLE = 503;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final JdbcCatalog catalog = new JdbcCatalog();
  private final ObjectMapper json = new ObjectMapper();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final AtomicInteger connectionsToClose = new AtomicInteger();
  private final AtomicInteger commitsToAskAgain = new AtomicInteger();
  private final AtomicBoolean isDownAfterCommit = new AtomicBoolean();
  private final AtomicBoolean isDown = new AtomicBoolean();

  private RestServer(Map<String, String> settings, InetSocketAddress address) throws IOException {
    catalog.setConf(new Configuration());
    catalog.initialize("rest", settings);
    json.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
    json.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    json.setPropertyNamingStrategy(new PropertyNamingStrategies.KebabCaseStrategy());
    RESTSerializers.registerAll(json);
    server = HttpServer.create(address, 0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  /** Starts a server with tables in a directory. */
  static RestServer start(Path directory) throws IOException {
    Map<String, String> settings = new HashMap<>();
    LocalCatalog.settings("rest", directory)
        .forEach((key, value) -> settings.put(key.replace("spark.sql.catalog.rest.", ""), value));
    return start(settings);
  }

  /**
   * Starts a server.
   *
   * @param settings of the JDBC catalog, which include the location of tables
   */
  public static RestServer start(Map<String, String> settings) throws IOException {
    return start(settings, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Like {@link #start(Map)}, on a given address. */
  public static RestServer start(Map<String, String> settings, InetSocketAddress address)
      throws IOException {
    return new RestServer(settings, address);
  }

  /** Returns the URL of the server. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Lets the next commits succeed but reports a server failure to the client. */
  void loseAnswers(int commits) {
    answersToLose.set(commits);
  }

  /** Lets the next commits succeed but closes their connections instead of an answer. */
  void closeConnections(int commits) {
    connectionsToClose.set(commits);
  }

  /** Lets the next commit succeed, and closes the connections of all requests after it. */
  void failAfterCommit() {
    isDownAfterCommit.set(true);
  }

  /** Answers again. */
  void recover() {
    isDown.set(false);
  }

  /** Lets the next commits succeed but asks the client to send them again, as proxies do. */
  void askAgain(int commits) {
    commitsToAskAgain.set(commits);
  }

  private static boolean isNext(AtomicInteger left) {
    return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
  }

  private void serve(HttpExchange call) throws IOException {
    try (call) {
      if (isDown.get()) {
        return;
      }
      int status = 200;
      String body = "";
      try {
        RESTResponse response = answer(call);
        body = response == null ? "" : json.writeValueAsString(response);
        boolean isCommit = call.getRequestMethod().equals("POST") && isTable(path(call));
        if (isCommit) {
          isDown.set(isDownAfterCommit.getAndSet(false));
        }
        if (isCommit && isNext(connectionsToClose)) {
          return;
        }
        if (isCommit && isNext(answersToLose)) {
          throw new IllegalStateException("the answer is lost");
        }
        if (isCommit && isNext(commitsToAskAgain)) {
          call.getResponseHeaders().set("Retry-After", "1");
          throw new ServiceUnavailableException("try again");
        }
      } catch (RuntimeException e) {
        status = status(e);
        body =
            ErrorResponseParser.toJson(
                ErrorResponse.builder()
                    .responseCode(status)
                    .withType(e.getClass().getSimpleName())
                    .withMessage(e.getMessage())
                    .build());
      }
      byte[] bytes = body.getBytes(UTF_8);
      boolean isHead = call.getRequestMethod().equals("HEAD");
      call.getResponseHeaders().set("Content-Type", "application/json");
      call.sendResponseHeaders(
          bytes.length == 0 && status == 200 ? 204 : status,
          isHead || bytes.length == 0 ? -1 : bytes.length);
      if (!isHead && bytes.length > 0) {
        call.getResponseBody().write(bytes);
      }
    }
  }

  private RESTResponse answer(HttpExchange call) throws IOException {
    String[] path = path(call);
    String method = call.getRequestMethod();
    if (path[1].equals("config")) {
      return ConfigResponse.builder().build();
    }
    if (path.length == 2 && method.equals("GET")) {
      return CatalogHandlers.listNamespaces(catalog, parent(call));
    }
    if (path.length == 2) {
      return CatalogHandlers.createNamespace(catalog, read(call, CreateNamespaceRequest.class));
    }
    Namespace namespace = RESTUtil.decodeNamespaceAsPathSegment(path[2], "%1F");
    if (path.length == 3) {
      return CatalogHandlers.loadNamespace(catalog, namespace);
    }
    if (path.length == 4 && method.equals("GET")) {
      return CatalogHandlers.listTables(catalog, namespace);
    }
    if (path.length == 4) {
      CreateTableRequest request = read(call, CreateTableRequest.class);
      return request.stageCreate()
          ? CatalogHandlers.stageTableCreate(catalog, namespace, request)
          : CatalogHandlers.createTable(catalog, namespace, request);
    }
    TableIdentifier table = TableIdentifier.of(namespace, RESTUtil.decodePathSegment(path[4]));
    if (path.length > 5) {
      return null; // metrics report
    }
    if (method.equals("DELETE")) {
      CatalogHandlers.dropTable(catalog, table);
      return null;
    }
    return method.equals("POST")
        ? CatalogHandlers.updateTable(catalog, table, read(call, UpdateTableRequest.class))
        : CatalogHandlers.loadTable(catalog, table, SnapshotMode.ALL);
  }

  /** Returns the parent namespace of a list request. */
  private static Namespace parent(HttpExchange call) {
    String query = String.valueOf(call.getRequestURI().getRawQuery());
    for (String parameter : query.split("&")) {
      if (parameter.startsWith("parent=")) {
        return RESTUtil.decodeNamespaceAsPathSegment(
            parameter.substring("parent=".length()), "%1F");
      }
    }
    return Namespace.empty();
  }

  /** Returns the parts of the path, such as {@code v1, namespaces, a, tables, t}. */
  private static String[] path(HttpExchange call) {
    return call.getRequestURI().getRawPath().substring(1).split("/");
  }

  private static boolean isTable(String[] path) {
    return path.length == 5;
  }

  private <T> T read(HttpExchange call, Class<T> type) throws IOException {
    return json.readValue(call.getRequestBody(), type);
  }

  private static int status(RuntimeException error) {
    if (error instanceof NoSuchTableException || error instanceof NoSuchNamespaceException) {
      return 404;
    }
    if (error instanceof ServiceUnavailableException) {
      return UNAVAILABLE;
    }
    return error instanceof CommitFailedException || error instanceof AlreadyExistsException
        ? 409
        : FAILED;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
    catalog.close();
  }
}
