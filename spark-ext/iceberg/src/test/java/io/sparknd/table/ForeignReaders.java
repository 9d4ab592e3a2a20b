/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Reads a table by programs that know nothing of SparkND; each row is one text of its values. */
final class ForeignReaders {
  static {
    // DriverManager has found no driver of this class path if another class loader asked first
    try {
      Class.forName("org.duckdb.DuckDBDriver");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ForeignReaders() {}

  /** Reads what Spark reads. */
  static List<String> spark(Dataset<Row> rows) {
    List<String> texts = new ArrayList<>();
    for (Row row : rows.collectAsList()) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        values.add(row.get(i) instanceof scala.collection.Seq<?> ? row.getList(i) : row.get(i));
      }
      texts.add(text(values));
    }
    return sorted(texts);
  }

  /** Reads by Iceberg's reader for Java. */
  static List<String> iceberg(Table table) throws IOException {
    List<String> texts = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        List<Object> values = new ArrayList<>();
        // beside files with deleted rows, records have a position, too
        for (int i = 0; i < table.schema().columns().size(); i++) {
          values.add(record.get(i));
        }
        texts.add(text(values));
      }
    }
    return sorted(texts);
  }

  /** Returns whether DuckDB can read the table's files alone: no row of them is deleted. */
  static boolean isReadByFiles(Table table) throws IOException {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        if (!task.deletes().isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads the table's data files by DuckDB, with columns found by Iceberg's field ids. */
  static List<String> duckDb(Table table) throws IOException, SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        String file = "'" + URI.create(task.file().location()).getPath().replace("'", "''") + "'";
        Map<Integer, String> names = names(statement, file);
        List<String> columns = new ArrayList<>();
        for (NestedField field : table.schema().columns()) {
          columns.add(column(field, names));
        }
        String query = "SELECT " + String.join(", ", columns) + " FROM read_parquet(" + file + ")";
        try (ResultSet rows = statement.executeQuery(query)) {
          while (rows.next()) {
            texts.add(text(values(rows, columns.size())));
          }
        }
      }
    }
    return sorted(texts);
  }

  private static Map<Integer, String> names(Statement statement, String file) throws SQLException {
    Map<Integer, String> names = new HashMap<>();
    try (ResultSet columns =
        statement.executeQuery(
            "SELECT field_id, name FROM parquet_schema(" + file + ") WHERE field_id IS NOT NULL")) {
      while (columns.next()) {
        names.put(columns.getInt(1), columns.getString(2));
      }
    }
    return names;
  }

  private static String column(NestedField field, Map<Integer, String> names) {
    String stored = names.get(field.fieldId());
    if (stored != null) {
      return "\"" + stored.replace("\"", "\"\"") + "\"";
    }
    return field.initialDefault() == null ? "NULL" : "'" + field.initialDefault() + "'";
  }

  private static List<Object> values(ResultSet rows, int columns) throws SQLException {
    List<Object> values = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      Object value = rows.getObject(i);
      values.add(
          value instanceof java.sql.Blob blob ? blob.getBytes(1, (int) blob.length()) : value);
    }
    return values;
  }

  private static String text(List<Object> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(text(value)));
    return String.join(" | ", texts);
  }

  private static String text(Object value) {
    if (value instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    if (value instanceof java.sql.Timestamp time) {
      return time.toInstant().toString();
    }
    if (value instanceof Instant time) {
      return time.toString();
    }
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return text(copy);
    }
    if (value instanceof Array array) {
      return elements(array);
    }
    return value instanceof Collection<?> list ? text(new ArrayList<>(list)) : "" + value;
  }

  private static String elements(Array array) {
    try {
      return text(Arrays.asList((Object[]) array.getArray()));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }
}
