/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Encodes keys as bytes whose unsigned order is the order of the key columns, first column first.
 * Equal keys have equal bytes and different keys have different bytes.
 *
 * <p>Integers are big-endian with the sign bit flipped. Strings (UTF-8) and binary values are their
 * own bytes in the last column; in other columns, a zero byte is followed by 0xff and the value by
 * two zero bytes.
 */
public record KeyCodec(List<KeyColumn> columns) implements Serializable {
  private static final byte ESCAPED = (byte) 0xff;

  public KeyCodec {
    columns = List.copyOf(columns);
  }

  /**
   * Appends the key of a row of Spark.
   *
   * @param ordinals ordinals of the key columns in {@code row}
   * @return the ordinal of a column that is null; -1 if there is none. If a column is null, no key
   *     is appended
   * @throws InvalidKeyException if a string is not a UUID
   */
  public int append(InternalRow row, int[] ordinals, KeyList keys) {
    int before = keys.count();
    for (int i = 0; i < ordinals.length; i++) {
      if (row.isNullAt(ordinals[i])) {
        keys.truncate(before);
        return ordinals[i];
      }
      write(row, ordinals[i], i, keys);
    }
    keys.end();
    return -1;
  }

  private void write(InternalRow row, int ordinal, int column, KeyList keys) {
    KeyType type = columns.get(column).type();
    switch (type) {
      case STRING -> writeBytes(row.getUTF8String(ordinal).getBytes(), column, keys);
      case BINARY -> writeBytes(row.getBinary(ordinal), column, keys);
      case UUID -> writeUuid(row.getUTF8String(ordinal).toString(), column, keys);
      case LONG -> writeLong(row.getLong(ordinal), keys);
      case INT, DATE -> writeInt(row.getInt(ordinal), keys);
    }
  }

  private void writeUuid(String text, int column, KeyList keys) {
    UUID uuid = uuid(text, columns.get(column).name());
    byte[] bytes = bytes(uuid);
    keys.write(bytes, 0, bytes.length);
  }

  /**
   * Parses a UUID in its usual form of 36 characters.
   *
   * @throws InvalidKeyException if the text is not such a UUID
   */
  static UUID uuid(String text, String column) {
    try {
      UUID uuid = UUID.fromString(text);
      if (uuid.toString().equalsIgnoreCase(text)) { // Java drops digits of overlong groups
        return uuid;
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw new InvalidKeyException(column, text);
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  private void writeBytes(byte[] value, int column, KeyList keys) {
    writeBytes(value, 0, value.length, column, keys);
  }

  /** Writes one column of a key of several; the bytes of a string, binary value or UUID. */
  public void writeBytes(byte[] source, int from, int length, int column, KeyList keys) {
    if (column == columns.size() - 1 || !columns.get(column).type().isVariable()) {
      keys.write(source, from, length);
      return;
    }
    writeEscaped(source, from, length, keys);
    keys.write((byte) 0);
    keys.write((byte) 0);
  }

  /** Writes the beginning of a value of the first column. */
  public void writePrefix(byte[] value, KeyList keys) {
    if (columns.size() == 1 || !columns.get(0).type().isVariable()) {
      keys.write(value, 0, value.length);
    } else {
      writeEscaped(value, 0, value.length, keys);
    }
  }

  private static void writeEscaped(byte[] source, int from, int length, KeyList keys) {
    for (int i = from; i < from + length; i++) {
      keys.write(source[i]);
      if (source[i] == 0) {
        keys.write(ESCAPED);
      }
    }
  }

  /** Writes one integer column of a key. */
  public static void writeLong(long value, KeyList keys) {
    writeBigEndian(value ^ Long.MIN_VALUE, Long.BYTES, keys);
  }

  /** Writes one int or date column of a key. */
  public static void writeInt(int value, KeyList keys) {
    writeBigEndian(value ^ Integer.MIN_VALUE, Integer.BYTES, keys);
  }

  private static void writeBigEndian(long bits, int bytes, KeyList keys) {
    for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      keys.write((byte) (bits >>> shift));
    }
  }

  /** Ends a key whose columns were all written. */
  public static void end(KeyList keys) {
    keys.end();
  }

  /**
   * Returns the columns of a key as values of a Spark row: UTF8String for strings and UUIDs,
   * byte[], Long or Integer.
   */
  public Object[] values(KeyList keys, int key) {
    Object[] values = new Object[columns.size()];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      int end = end(keys, key, at, i);
      byte[] bytes = keys.slice(key, at, end);
      values[i] = value(columns.get(i).type(), i < values.length - 1 ? unescaped(bytes, i) : bytes);
      at = end + (i < values.length - 1 && columns.get(i).type().isVariable() ? 2 : 0);
    }
    return values;
  }

  /** Returns the position in a key where the encoded value of a column ends. */
  private int end(KeyList keys, int key, int from, int column) {
    KeyType type = columns.get(column).type();
    if (!type.isVariable()) {
      return from + type.width();
    }
    if (column == columns.size() - 1) {
      return keys.length(key);
    }
    int at = from;
    while (keys.at(key, at) != 0 || keys.at(key, at + 1) == ESCAPED) {
      at += keys.at(key, at) == 0 ? 2 : 1;
    }
    return at;
  }

  private byte[] unescaped(byte[] bytes, int column) {
    if (!columns.get(column).type().isVariable()) {
      return bytes;
    }
    ByteBuffer plain = ByteBuffer.allocate(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      plain.put(bytes[i]);
      i += bytes[i] == 0 ? 1 : 0;
    }
    byte[] exact = new byte[plain.position()];
    plain.flip().get(exact);
    return exact;
  }

  private static Object value(KeyType type, byte[] bytes) {
    return switch (type) {
      case STRING -> UTF8String.fromBytes(bytes);
      case BINARY -> bytes;
      case UUID -> {
        ByteBuffer bits = ByteBuffer.wrap(bytes);
        yield UTF8String.fromString(new UUID(bits.getLong(), bits.getLong()).toString());
      }
      case LONG -> ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
      case INT, DATE -> ByteBuffer.wrap(bytes).getInt() ^ Integer.MIN_VALUE;
    };
  }

  /** Returns a column of a key whose columns are all of type bigint. */
  public static long number(KeyList keys, int key, int column) {
    return keys.longAt(key, column * Long.BYTES) ^ Long.MIN_VALUE;
  }

  /** Returns a key as text, such as {@code (user = 'u1', day = 20000)}, for messages. */
  public String text(KeyList keys, int key) {
    Object[] values = values(keys, key);
    return IntStream.range(0, values.length)
        .mapToObj(i -> columns.get(i).name() + " = " + text(values[i]))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String text(Object value) {
    if (value instanceof byte[] bytes) {
      return "X'" + new String(org.apache.commons.codec.binary.Hex.encodeHex(bytes)) + "'";
    }
    return value instanceof UTF8String text
        ? "'" + new String(text.getBytes(), StandardCharsets.UTF_8) + "'"
        : value.toString();
  }
}
