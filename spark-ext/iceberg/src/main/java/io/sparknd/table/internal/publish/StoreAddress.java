/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import java.io.Serializable;
import java.util.Map;

/**
 * How to connect to an online store.
 *
 * @param properties of a JDBC connection
 * @param shown the address without credentials, for messages
 */
record StoreAddress(String url, Map<String, String> properties, String shown)
    implements Serializable {

  static StoreAddress of(PublishSink sink) {
    if (sink instanceof JdbcSink jdbc) {
      return new StoreAddress(jdbc.url(), jdbc.properties(), sink.address());
    }
    return new StoreAddress(((RedisSink) sink).server().toString(), Map.of(), sink.address());
  }

  boolean isJdbc() {
    return url.startsWith("jdbc:");
  }

  /** Returns the address without credentials. */
  @Override
  public String toString() {
    return shown;
  }
}
