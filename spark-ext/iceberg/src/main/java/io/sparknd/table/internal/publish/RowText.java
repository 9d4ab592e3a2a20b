/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import org.apache.commons.codec.binary.Hex;
import org.apache.spark.unsafe.types.UTF8String;

/** The keys of rows as text; different keys have different texts. */
final class RowText {
  private static final String SEPARATOR = ":";

  private RowText() {}

  /**
   * Returns a name, a colon and the columns of a key, as {@link io.sparknd.table.publish.RedisSink}
   * describes it.
   */
  static byte[] of(String name, List<KeyColumn> columns, Object[] key) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(utf8(name));
    for (int i = 0; i < key.length; i++) {
      text.writeBytes(utf8(SEPARATOR));
      text.writeBytes(column(columns.get(i).type(), key[i], key.length == 1));
    }
    return text.toByteArray();
  }

  private static byte[] column(KeyType type, Object value, boolean isOnly) {
    if (value instanceof byte[] bytes) {
      return isOnly ? bytes : utf8(Hex.encodeHexString(bytes));
    }
    if (value instanceof UTF8String text) {
      return isOnly ? text.getBytes() : escaped(text.getBytes());
    }
    String text =
        type == KeyType.DATE ? LocalDate.ofEpochDay((int) value).toString() : value.toString();
    return utf8(text);
  }

  /** Escapes bytes, since strings of Spark may be any; those of '%' and ':' are in no other one. */
  private static byte[] escaped(byte[] text) {
    ByteArrayOutputStream escaped = new ByteArrayOutputStream();
    for (byte next : text) {
      switch (next) {
        case '%' -> escaped.writeBytes(utf8("%25"));
        case ':' -> escaped.writeBytes(utf8("%3A"));
        default -> escaped.write(next);
      }
    }
    return escaped.toByteArray();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
