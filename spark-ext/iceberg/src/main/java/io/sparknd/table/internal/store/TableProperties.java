/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.op.OperatorErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.ElementText;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Converts the format of a tensor table to table properties and back. */
public final class TableProperties {
  public static final String SHAPE = "sparknd.shape";
  public static final String DTYPE = "sparknd.dtype";
  public static final String LAYOUT = "sparknd.layout";
  public static final String INDEX_COLUMNS = "sparknd.index-columns";
  public static final String VALUE_COLUMNS = "sparknd.value-columns";
  public static final String ROWS_PER_BLOCK = "sparknd.rows-per-block";
  public static final String FILL_VALUE = "sparknd.fill-value";

  /**
   * Repeats dtype and shape of a row, such as {@code float32[64]}. Other engines can change
   * properties, but not the values: bytes of other elements would be read without an error.
   */
  public static final String STORED = "sparknd.stored";

  /** The columns of the key of a feature table, separated by commas. */
  public static final String KEY = "sparknd.key";

  /** The number of entries of a feature table's numbered axis. */
  public static final String SIZE = "sparknd.size";

  /** Prefix of the properties with the batches of expired snapshots, by their ids. */
  public static final String EXPIRED_BATCH = "sparknd.batch-history.";

  /** Prefix of the properties with the latest times of expired snapshots, by their ids. */
  public static final String EXPIRED_TIME = "sparknd.valid-through.";

  private static final String SEPARATOR = ",";
  private static final Set<String> OF_TENSOR =
      Set.of(
          FormatNumber.PROPERTY,
          SHAPE,
          DTYPE,
          STORED,
          LAYOUT,
          INDEX_COLUMNS,
          VALUE_COLUMNS,
          ROWS_PER_BLOCK,
          NumberedAxis.HISTORY);

  private TableProperties() {}

  /** Returns whether a property records what an expired snapshot was. */
  public static boolean isOfExpired(String property) {
    return property.startsWith(EXPIRED_BATCH) || property.startsWith(EXPIRED_TIME);
  }

  /** Returns whether a property describes the tensor that a table holds. */
  public static boolean isOfTensor(String property) {
    return OF_TENSOR.contains(property) || property.startsWith(FILL_VALUE);
  }

  /** Returns whether the properties are those of a tensor table. */
  public static boolean isTensor(Map<String, String> properties) {
    return properties.containsKey(SHAPE) && properties.containsKey(INDEX_COLUMNS);
  }

  /** Returns the properties that {@link #format} reads back. */
  public static Map<String, String> of(StoredFormat format) {
    RowFormat rows = format.rows();
    Map<String, String> properties = new TreeMap<>();
    properties.put(FormatNumber.PROPERTY, Integer.toString(FormatNumber.CURRENT));
    properties.put(SHAPE, rows.shape().toString());
    properties.put(DTYPE, rows.dtype().toString());
    properties.put(STORED, stored(rows));
    properties.put(LAYOUT, layout(rows.values()));
    properties.put(INDEX_COLUMNS, String.join(SEPARATOR, rows.indexColumns()));
    properties.put(VALUE_COLUMNS, String.join(SEPARATOR, rows.values().names()));
    properties.put(ROWS_PER_BLOCK, Long.toString(format.rowsPerBlock()));
    properties.putAll(RowFill.properties(FILL_VALUE, format));
    return properties;
  }

  /**
   * Returns the format that a table's properties describe.
   *
   * @param table the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if the table holds no tensor, is of a later format,
   *     or its rows are recorded to be of another dtype or shape
   */
  public static StoredFormat format(String table, Map<String, String> properties) {
    FormatNumber.requireKnown(table, properties);
    RowFormat rows = rows(table, properties);
    if (!isRecorded(rows, properties)) {
      String record = String.valueOf(properties.get(STORED));
      throw TableErrors.tensorRetyped(table, stored(rows), record, DTYPE, SHAPE);
    }
    DType dtype = rows.dtype();
    return new StoredFormat(
        rows,
        rowsPerBlock(value(table, properties, ROWS_PER_BLOCK)),
        RowFill.of(
            dtype,
            ElementText.parse(dtype, value(table, properties, FILL_VALUE)),
            rows.values(),
            RowFill.features(FILL_VALUE, dtype, properties)));
  }

  private static RowFormat rows(String table, Map<String, String> properties) {
    return new RowFormat(
        DType.named(value(table, properties, DTYPE)),
        Shape.parse(value(table, properties, SHAPE)),
        names(value(table, properties, INDEX_COLUMNS)),
        values(value(table, properties, LAYOUT), names(value(table, properties, VALUE_COLUMNS))));
  }

  /**
   * Returns whether changed properties say again what the rows of a tensor are recorded to be,
   * which the properties before did not.
   *
   * @throws io.sparknd.tensor.SparkNdException if a property is malformed
   */
  public static boolean restores(
      String table, Map<String, String> before, Map<String, String> changed) {
    if (!isTensor(before) || isRecorded(rows(table, before), before)) {
      return false;
    }
    RowFormat rows = rows(table, changed);
    return isRecorded(rows, changed) && rows.outer().equals(rows(table, before).outer());
  }

  private static String stored(RowFormat rows) {
    return CellType.text(rows.dtype(), rows.slice());
  }

  /**
   * Returns whether rows are what they are recorded to be; tables of earlier versions have none.
   */
  private static boolean isRecorded(RowFormat rows, Map<String, String> properties) {
    String record = properties.get(STORED);
    return record == null || record.equals(stored(rows));
  }

  private static String value(String table, Map<String, String> properties, String key) {
    return Optional.ofNullable(properties.get(key))
        .orElseThrow(() -> TableErrors.notATensorTable(table, key));
  }

  private static List<String> names(String joined) {
    return List.of(joined.split(SEPARATOR));
  }

  private static long rowsPerBlock(String text) {
    try {
      long rows = Integer.parseInt(text);
      if (rows > 0) {
        return rows;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw TableErrors.badTableProperty(ROWS_PER_BLOCK, text, "a number of rows");
  }

  private static String layout(ValueColumns values) {
    if (values instanceof ValueColumns.ArrayColumn) {
      return "array";
    }
    return values instanceof ValueColumns.BinaryColumn ? "binary" : "columns";
  }

  private static ValueColumns values(String layout, List<String> columns) {
    return switch (layout.toLowerCase(Locale.ROOT)) {
      case "array" -> new ValueColumns.ArrayColumn(columns.get(0));
      case "binary" -> new ValueColumns.BinaryColumn(columns.get(0));
      case "columns" -> new ValueColumns.FeatureColumns(columns);
      default -> throw OperatorErrors.unknownValue("layout", layout, "array, binary, columns");
    };
  }
}
