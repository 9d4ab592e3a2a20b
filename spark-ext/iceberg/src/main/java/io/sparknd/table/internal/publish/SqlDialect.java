/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.key.KeyType;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/** The SQL of a database. */
enum SqlDialect {
  POSTGRES("text", "text", "bytea", "bytea", "date", "timestamptz"),
  SQLITE("text", "text", "blob", "blob", "text", "text"),
  /** The standard's types, and no more of its statements than all databases have. */
  STANDARD("varchar(255)", "clob", "varbinary(255)", "blob", "date", "timestamp(6)");

  /** PostgreSQL cuts names after so many bytes, at the end of a character. */
  private static final int POSTGRES_NAME_BYTES = 63;

  private final String keyText;
  private final String text;
  private final String keyBytes;
  private final String bytes;
  private final String date;
  private final String timestamp;

  SqlDialect(
      String keyText, String text, String keyBytes, String bytes, String date, String timestamp) {
    this.keyText = keyText;
    this.text = text;
    this.keyBytes = keyBytes;
    this.bytes = bytes;
    this.date = date;
    this.timestamp = timestamp;
  }

  /** Returns the dialect of a database, by the address of its connection. */
  static SqlDialect of(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    if (lower.startsWith("jdbc:postgresql:")) {
      return POSTGRES;
    }
    return lower.startsWith("jdbc:sqlite:") ? SQLITE : STANDARD;
  }

  /** Returns the type of text of any length. */
  String text() {
    return text;
  }

  /** Returns the type of bytes of any number. */
  String bytes() {
    return bytes;
  }

  /** Returns the type of a key column. */
  String type(KeyType type) {
    return switch (type) {
      case STRING, UUID -> keyText;
      case BINARY -> keyBytes;
      case LONG -> "bigint";
      case INT -> "int";
      case DATE -> date;
    };
  }

  /** Returns the type of values of a scalar type that databases have; else null. */
  @Nullable String type(DataType type) {
    if (type instanceof DecimalType decimal) {
      // SQLite would keep a decimal as a double
      return this == SQLITE
          ? "text"
          : "decimal(" + decimal.precision() + ", " + decimal.scale() + ")";
    }
    if (type.equals(DataTypes.StringType)) {
      return text;
    }
    if (type.equals(DataTypes.BinaryType)) {
      return bytes;
    }
    return fixed(type);
  }

  private @Nullable String fixed(DataType type) {
    if (type.equals(DataTypes.BooleanType)) {
      return "boolean";
    }
    if (type.equals(DataTypes.ByteType) || type.equals(DataTypes.ShortType)) {
      return "smallint";
    }
    if (type.equals(DataTypes.IntegerType)) {
      return "int";
    }
    if (type.equals(DataTypes.LongType)) {
      return "bigint";
    }
    if (type.equals(DataTypes.FloatType)) {
      return "real";
    }
    if (type.equals(DataTypes.DoubleType)) {
      return "double precision";
    }
    if (type.equals(DataTypes.DateType)) {
      return date;
    }
    if (type.equals(DataTypes.TimestampNTZType)) {
      return this == POSTGRES ? "timestamp" : timestamp;
    }
    return type.equals(DataTypes.TimestampType) ? timestamp : null;
  }

  /** Returns the name that the database gives to a column or table of this name. */
  String stored(String name) {
    int end = name.length();
    while (this == POSTGRES && RowText.utf8(name.substring(0, end)).length > POSTGRES_NAME_BYTES) {
      end = name.offsetByCodePoints(end, -1);
    }
    return name.substring(0, end);
  }

  /** Returns what names of one column have in common. */
  String column(String name) {
    return this == SQLITE ? lowerAscii(name) : stored(name);
  }

  /** SQLite takes names that differ in the case of ASCII letters for the same. */
  private static String lowerAscii(String name) {
    StringBuilder lower = new StringBuilder(name);
    for (int i = 0; i < lower.length(); i++) {
      char letter = lower.charAt(i);
      if (letter >= 'A' && letter <= 'Z') {
        lower.setCharAt(i, (char) (letter - 'A' + 'a'));
      }
    }
    return lower.toString();
  }

  /** Returns whether rows are locked by an update, and not by a query. */
  boolean locksByUpdate() {
    return this != POSTGRES;
  }

  /** Returns whether a row is deleted before it is inserted. */
  boolean deletesFirst() {
    return this == STANDARD;
  }

  /** Returns a statement that inserts a row. */
  static String insert(String table, List<String> columns) {
    return "INSERT INTO "
        + table
        + columns.stream().collect(Collectors.joining(", ", " (", ")"))
        + columns.stream().map(column -> "?").collect(Collectors.joining(", ", " VALUES (", ")"));
  }

  /** Returns a statement that inserts a row, or replaces it unless {@link #deletesFirst}. */
  String replace(String table, List<String> keys, List<String> others) {
    String insert = insert(table, Stream.concat(keys.stream(), others.stream()).toList());
    if (deletesFirst()) {
      return insert;
    }
    return insert
        + " ON CONFLICT ("
        + String.join(", ", keys)
        + ") DO UPDATE SET "
        + others.stream()
            .map(column -> column + " = EXCLUDED." + column)
            .collect(Collectors.joining(", "));
  }
}
