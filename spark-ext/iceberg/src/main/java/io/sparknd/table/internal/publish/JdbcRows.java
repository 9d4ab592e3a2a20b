/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.key.KeyColumn;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.commons.codec.binary.Hex;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The columns of a database's table, and the values of rows in them. */
final class JdbcRows {
  private static final char NUL = 0;

  /** 4713 BC; PostgreSQL's driver sends earlier dates, which are different ones, as -infinity. */
  private static final LocalDate FIRST_OF_POSTGRES = LocalDate.of(-4712, 1, 1);

  /** As text, times sort as times if all have as many digits. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);

  private final SqlDialect dialect;
  private final PublishedColumns columns;
  private final CellEncoder encoder;

  /** For each variable, whether the database has a type for its values; others are encoded. */
  private final boolean[] isScalar;

  JdbcRows(SqlDialect dialect, PublishedColumns columns) {
    this.dialect = dialect;
    this.columns = columns;
    this.encoder = new CellEncoder(columns.values());
    this.isScalar = new boolean[columns.variables().size()];
    for (int i = 0; i < isScalar.length; i++) {
      isScalar[i] = scalar(columns.variables().get(i).type()) != null;
    }
  }

  SqlDialect dialect() {
    return dialect;
  }

  PublishedColumns columns() {
    return columns;
  }

  /** Returns the definition of the type of a variable's column. */
  String type(FeatureColumn variable) {
    String scalar = scalar(variable.type());
    if (scalar != null) {
      return scalar;
    }
    return encoder.isBinary(variable.type()) ? dialect.bytes() : dialect.text();
  }

  /** Returns whether a variable's column is another one for values in another form. */
  boolean dependsOnForm(FeatureColumn variable) {
    return scalar(variable.type()) == null && CellEncoder.hasBytes(variable.type());
  }

  /** Returns the database's type of a variable that is not encoded; else null. */
  private @Nullable String scalar(CellType type) {
    boolean isSlice = type instanceof CellType.Elements elements && elements.shape().rank() > 0;
    return isSlice ? null : dialect.type(type.sql());
  }

  /**
   * Sets the parameters from {@code at} on to the columns of a key.
   *
   * @return the number of bytes
   */
  long setKey(PreparedStatement statement, int at, Object[] key) throws SQLException {
    long bytes = 0;
    for (int i = 0; i < key.length; i++) {
      KeyColumn column = columns.keys().get(i);
      requireText(column.name(), key, key[i]);
      Object value = external(column.type().sql(), key[i]);
      requireStorable(column.name(), key, value);
      bytes += set(statement, at + i, value);
    }
    return bytes;
  }

  /**
   * Sets the parameters from {@code at} on to the values of the variables, of a row that has some.
   *
   * @return the number of bytes
   */
  long setValues(PreparedStatement statement, int at, PublishedRow row) throws SQLException {
    List<Cells> cells = Objects.requireNonNull(row.cells());
    long bytes = 0;
    for (int i = 0; i < cells.size(); i++) {
      boolean isPresent = cells.get(i).isPresent(row.slot());
      Object value = isPresent ? value(i, cells.get(i), row) : null;
      requireStorable(columns.variables().get(i).name(), row.key(), value);
      bytes += set(statement, at + i, value);
    }
    return bytes;
  }

  /** Checks that the database can store a value of a row. */
  private void requireStorable(String column, Object[] key, @Nullable Object value) {
    if (dialect != SqlDialect.POSTGRES) {
      return;
    }
    if (value instanceof String text && text.indexOf(NUL) >= 0) {
      throw PublicationErrors.nulCharacter(column, shown(key));
    }
    if (value instanceof Temporal time && LocalDate.from(time).isBefore(FIRST_OF_POSTGRES)) {
      throw PublicationErrors.dateTooEarly(column, shown(key), time);
    }
  }

  private static String shown(Object[] key) {
    return Arrays.deepToString(key).replace(String.valueOf(NUL), "\\0");
  }

  /** Returns whether a table of a database can have the key. */
  static boolean isText(Object[] key) {
    return Arrays.stream(key).allMatch(JdbcRows::isText);
  }

  private static boolean isText(Object value) {
    return !(value instanceof UTF8String text) || text.isValid();
  }

  /** Checks that a string is text, of which drivers would make another: keys would be the same. */
  private static void requireText(String column, Object[] key, Object value) {
    if (value instanceof UTF8String text && !isText(text)) {
      throw PublicationErrors.notUtf8(
          column, Arrays.deepToString(key), Hex.encodeHexString(text.getBytes(), false));
    }
  }

  private Object value(int variable, Cells cells, PublishedRow row) {
    if (isScalar[variable]) {
      Object value = Objects.requireNonNull(cells.value(row.slot()));
      requireText(columns.variables().get(variable).name(), row.key(), value);
      return external(cells.type().sql(), value);
    }
    byte[] encoded = encoder.bytes(cells, row.slot());
    return encoder.isBinary(cells.type()) ? encoded : new String(encoded, StandardCharsets.UTF_8);
  }

  private static long set(PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    if (value instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
      return bytes.length;
    }
    if (value instanceof String text) {
      statement.setString(at, text);
      return text.length();
    }
    statement.setObject(at, value);
    return value == null ? 0 : Long.BYTES;
  }

  /** Returns a value as drivers take it. */
  private Object external(DataType type, Object value) {
    if (value instanceof UTF8String text) {
      return text.toString();
    }
    if (value instanceof Decimal decimal) {
      BigDecimal exact = decimal.toJavaBigDecimal();
      return dialect == SqlDialect.SQLITE ? exact.toPlainString() : exact;
    }
    if (value instanceof Byte || value instanceof Short) {
      return ((Number) value).intValue();
    }
    if (type.equals(DataTypes.DateType)) {
      LocalDate date = LocalDate.ofEpochDay((int) value);
      return dialect == SqlDialect.SQLITE ? date.toString() : date;
    }
    if (type.equals(DataTypes.TimestampType)) {
      return switch (dialect) {
        case SQLITE -> TIME.format(JsonValues.local((long) value)) + "Z";
        case POSTGRES -> ValidTime.instant((long) value).atOffset(ZoneOffset.UTC);
        case STANDARD -> JsonValues.local((long) value);
      };
    }
    if (type.equals(DataTypes.TimestampNTZType)) {
      return dialect == SqlDialect.SQLITE
          ? TIME.format(JsonValues.local((long) value))
          : JsonValues.local((long) value);
    }
    return value;
  }

  /** Returns a key for a test of comparisons, with {@code text} in all columns of text. */
  Object[] probe(String text) {
    List<Object> key = new ArrayList<>();
    for (KeyColumn column : columns.keys()) {
      key.add(
          switch (column.type()) {
            case STRING, UUID -> UTF8String.fromString(text);
            case BINARY -> new byte[] {1};
            case LONG -> 0L;
            case INT, DATE -> 0;
          });
    }
    return key.toArray();
  }
}
