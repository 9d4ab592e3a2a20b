/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to connect to an online store.
 *
 * @param properties of a JDBC connection
 * @param shown the address without credentials, for messages
 */
record StoreAddress(String url, Map<String, String> properties, String shown)
    implements Serializable {
  private static final String SQLITE = "jdbc:sqlite:";

  static StoreAddress of(PublishSink sink) {
    if (sink instanceof JdbcSink jdbc) {
      return new StoreAddress(jdbc.url(), jdbc.properties(), sink.address());
    }
    return new StoreAddress(((RedisSink) sink).server().toString(), Map.of(), sink.address());
  }

  boolean isJdbc() {
    return url.startsWith("jdbc:");
  }

  /** Returns the folder of a database of SQLite if it does not exist; SQLite creates only files. */
  Optional<Path> missingFolder() {
    String file = url.startsWith(SQLITE) ? url.substring(SQLITE.length()) : ":";
    if (file.startsWith(":") || file.startsWith("file:")) {
      return Optional.empty(); // in memory, a resource, or a URI
    }
    Path path = Path.of(file.replaceFirst("\\?.*", "")).toAbsolutePath();
    return Optional.ofNullable(path.getParent()).filter(folder -> !Files.isDirectory(folder));
  }

  /** Returns the names of the parameters behind the file of a database of SQLite. */
  List<String> parametersOfFile() {
    int query = url.indexOf('?');
    boolean isFile = url.startsWith(SQLITE) && !url.startsWith("file:", SQLITE.length());
    return !isFile || query < 0
        ? List.of()
        : Arrays.stream(url.substring(query + 1).split("&"))
            .map(parameter -> parameter.replaceFirst("=.*", "").strip())
            .filter(name -> !name.isEmpty())
            .toList();
  }

  /** Returns the error of a store that failed. */
  SparkNdException failed(Exception failure) {
    return PublicationErrors.sinkFailed(shown, withoutCredentials(failure));
  }

  /** Returns the error of a row that the store refused. */
  SparkNdException refused(Exception failure) {
    return PublicationErrors.rowRefused(shown, withoutCredentials(failure));
  }

  Exception withoutCredentials(Exception failure) {
    return StoreCredentials.of(this).hiddenIn(failure);
  }

  /** Returns the address without credentials. */
  @Override
  public String toString() {
    return shown;
  }
}
