/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellFolds;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.internal.store.NumberedAxis;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** Reads the format of a feature table from its schema and properties, and writes properties. */
public final class FeatureProperties {
  /** The columns of the key, separated by commas. */
  public static final String KEY = TableProperties.KEY;

  public static final String BUCKET_COLUMN = "sparknd.bucket-column";

  /** The number of entries of a numbered axis. */
  public static final String SIZE = TableProperties.SIZE;

  /** The prefix of all properties of SparkND's tables. */
  public static final String PREFIX = "sparknd.";

  /** The last parts of the properties of a variable. */
  static final List<String> OPTIONS =
      List.of(
          "dtype",
          "shape",
          StoredTypes.OPTION,
          ColumnRecords.OPTION,
          StateRecord.OPTION,
          "fill",
          "reduction",
          "order",
          "size",
          "window",
          "tile",
          WindowZones.OPTION);

  private static final String VARIABLE = "sparknd.variable.";
  private static final String SEPARATOR = ",";
  private static final Set<String> OF_AXIS =
      Set.of(
          FormatNumber.PROPERTY,
          KEY,
          BUCKET_COLUMN,
          SIZE,
          TableProperties.ROWS_PER_BLOCK,
          NumberedAxis.HISTORY);

  private static final Set<String> NOTHING_DESCRIBED =
      Set.of(ColumnRecords.OPTION, StateRecord.OPTION);

  private final String table;
  private final Schema schema;
  private final Map<String, String> properties;

  private FeatureProperties(String table, Schema schema, Map<String, String> properties) {
    this.table = table;
    this.schema = schema;
    this.properties = properties;
  }

  /** Returns the property of a variable, such as {@code sparknd.variable.views.reduction}. */
  public static String key(String variable, String option) {
    return VARIABLE + variable + "." + option;
  }

  /** Returns whether the properties are those of a feature table. */
  public static boolean isFeatureTable(Map<String, String> properties) {
    return properties.containsKey(KEY);
  }

  /** Returns whether a property describes the axis or a variable. */
  public static boolean isOfAxisOrVariable(String property) {
    return OF_AXIS.contains(property) || isOfVariable(property);
  }

  /** Returns whether a property describes a variable. */
  public static boolean isOfVariable(String property) {
    return property.startsWith(VARIABLE);
  }

  /** Returns whether a property has the time zone of a variable's windows. */
  public static boolean isZone(String property) {
    return isOfVariable(property) && property.endsWith("." + WindowZones.OPTION);
  }

  /** Returns whether a property of a variable is only SparkND's to set. */
  public static boolean isRecord(String property) {
    return isOfVariable(property)
        && (property.endsWith("." + StoredTypes.OPTION)
            || property.endsWith("." + ColumnRecords.OPTION)
            || property.endsWith("." + StateRecord.OPTION));
  }

  /** Returns the names of the key columns. */
  public static List<String> keyColumns(Map<String, String> properties) {
    return List.of(Objects.requireNonNull(properties.get(KEY)).split(SEPARATOR));
  }

  /**
   * Returns the variable of a column, as its properties declare it.
   *
   * @throws io.sparknd.tensor.SparkNdException if a property cannot be parsed
   */
  public static Variable variable(String name, DataType type, Map<String, String> properties) {
    Map<String, String> options = ofVariable(properties, name);
    return new Variable(
        name,
        type,
        dtype(options),
        shape(options),
        Optional.ofNullable(options.get("fill")),
        reduction(name, properties));
  }

  /**
   * Returns the variables that properties name, which may have no column.
   *
   * @throws io.sparknd.tensor.SparkNdException if a property names no option
   */
  public static Set<String> named(Iterable<String> properties) {
    Set<String> names = new HashSet<>();
    for (String property : properties) {
      int option = property.lastIndexOf('.');
      if (option < VARIABLE.length() || !OPTIONS.contains(property.substring(option + 1))) {
        throw TableErrors.badTableProperty(
            property, "", VARIABLE + "NAME.OPTION, where OPTION is one of " + OPTIONS);
      }
      names.add(property.substring(VARIABLE.length(), option));
    }
    return names;
  }

  /** Returns the variables that properties describe, which may have no column. */
  static Set<String> described(Map<String, String> properties) {
    Set<String> names = new TreeSet<>();
    for (String property : properties.keySet()) {
      int option = property.lastIndexOf('.');
      if (option > VARIABLE.length() && isOfVariable(property)) {
        names.add(property.substring(VARIABLE.length(), option));
      }
    }
    names.removeIf(name -> NOTHING_DESCRIBED.containsAll(ofVariable(properties, name).keySet()));
    return names;
  }

  /** Returns the properties that describe a variable. */
  public static Map<String, String> of(Variable variable) {
    Map<String, String> described = new TreeMap<>();
    String name = variable.name();
    variable.dtype().ifPresent(dtype -> described.put(key(name, "dtype"), dtype.toString()));
    variable
        .shape()
        .filter(shape -> shape.rank() > 0)
        .ifPresent(shape -> described.put(key(name, "shape"), shape.toString()));
    StoredTypes.declared(variable.dtype(), variable.shape())
        .ifPresent(text -> described.put(key(name, StoredTypes.OPTION), text));
    variable
        .fill()
        .ifPresent(fill -> described.put(key(name, "fill"), FillValues.stored(fill, variable)));
    variable
        .reduction()
        .ifPresent(
            reduction -> {
              described.put(key(name, "reduction"), reduction.name());
              reduction.orderBy().ifPresent(order -> described.put(key(name, "order"), order));
              reduction
                  .size()
                  .ifPresent(size -> described.put(key(name, "size"), Integer.toString(size)));
              reduction
                  .windows()
                  .ifPresent(
                      windows -> {
                        described.put(key(name, "window"), windows.lengthsText());
                        described.put(key(name, "tile"), windows.tileText());
                      });
            });
    return described;
  }

  /** Returns all properties of a variable that are set, by option. */
  public static Map<String, String> ofVariable(Map<String, String> properties, String variable) {
    Map<String, String> found = new TreeMap<>();
    for (String option : OPTIONS) {
      String value = properties.get(key(variable, option));
      if (value != null) {
        found.put(option, value);
      }
    }
    return found;
  }

  /**
   * Returns the format that schema and properties of a table describe.
   *
   * @param table the table's name, for messages
   * @param buckets number of buckets of the current partition spec; 0 if it has none
   * @throws io.sparknd.tensor.SparkNdException if it is not a feature table, columns are missing,
   *     or a property of a variable is unknown
   */
  public static FeatureFormat format(
      String table, Schema schema, Map<String, String> properties, int buckets) {
    FeatureProperties read = new FeatureProperties(table, schema, properties);
    FeatureAxis axis = read.axis(buckets);
    VariableOptions.requireKnown(table, properties, schema);
    return new FeatureFormat(axis, read.columns(axis));
  }

  /** Returns the column of a labelled axis that is dealt to buckets; empty if there is none. */
  static Optional<Types.NestedField> bucketColumn(Schema schema, Map<String, String> properties) {
    return isFeatureTable(properties)
        ? ColumnRecords.column(
            schema, properties.getOrDefault(BUCKET_COLUMN, keyColumns(properties).get(0)))
        : Optional.empty();
  }

  private FeatureAxis axis(int buckets) {
    if (!isFeatureTable(properties)) {
      throw FeatureErrors.notAFeatureTable(table);
    }
    List<KeyColumn> key = new ArrayList<>();
    for (String name : keyColumns(properties)) {
      Types.NestedField field = field(name);
      key.add(new KeyColumn(name, field.fieldId(), KeyType.of(name, field.type())));
    }
    KeyCodec codec = new KeyCodec(key);
    String size = properties.get(SIZE);
    if (size != null) {
      return numbered(codec, size);
    }
    String bucketed = properties.getOrDefault(BUCKET_COLUMN, key.get(0).name());
    KeyColumn column =
        key.stream()
            .filter(each -> each.name().equals(bucketed))
            .findFirst()
            .orElseThrow(
                () -> TableErrors.badTableProperty(BUCKET_COLUMN, bucketed, "a column of the key"));
    return new FeatureAxis.Labelled(codec, column, Math.max(1, buckets));
  }

  private FeatureAxis numbered(KeyCodec codec, String size) {
    if (codec.columns().size() != 1 || codec.columns().get(0).type() != KeyType.LONG) {
      throw TableErrors.badTableProperty(SIZE, size, "unset, or the key one bigint column");
    }
    return new FeatureAxis.Numbered(
        codec,
        Shape.of(positive(SIZE, size)),
        positive(TableProperties.ROWS_PER_BLOCK, properties.get(TableProperties.ROWS_PER_BLOCK)));
  }

  /**
   * Parses a property.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is not a positive number
   */
  public static long positive(String property, @Nullable String text) {
    try {
      long value = text == null ? 0 : Long.parseLong(text);
      if (value > 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw TableErrors.badTableProperty(property, String.valueOf(text), "a positive number");
  }

  private Types.NestedField field(String name) {
    return ColumnRecords.column(schema, name)
        .orElseThrow(
            () ->
                FeatureErrors.noTableColumn(
                    table, name, schema.columns().stream().map(Types.NestedField::name).toList()));
  }

  private List<FeatureColumn> columns(FeatureAxis axis) {
    Set<Integer> key = new HashSet<>();
    axis.columns().forEach(column -> key.add(column.fieldId()));
    List<Types.NestedField> fields =
        schema.columns().stream().filter(field -> !key.contains(field.fieldId())).toList();
    Set<String> state = new HashSet<>();
    fields.forEach(field -> state.addAll(state(field)));
    return fields.stream().map(field -> column(field, state.contains(field.name()))).toList();
  }

  private FeatureColumn column(Types.NestedField field, boolean isState) {
    requireRecorded(field.name());
    CellType type = type(field);
    Optional<String> fill = fill(field);
    return new FeatureColumn(
        field.fieldId(),
        field.name(),
        type,
        fill.orElse(null),
        fill.map(text -> fillValue(field, text, type)).orElse(null),
        reduction(field.name(), properties).orElse(null),
        state(field),
        isState,
        false,
        WindowZones.of(properties, field.name()));
  }

  /** Checks that dtype and shape are those of the values, which others may have declared anew. */
  private void requireRecorded(String variable) {
    Map<String, String> options = ofVariable(properties, variable);
    if (!StoredTypes.isRecorded(options)) {
      throw FeatureErrors.variableRetyped(
          table,
          variable,
          StoredTypes.declared(options).orElse("not declared"),
          String.valueOf(options.get(StoredTypes.OPTION)),
          key(variable, "dtype"),
          key(variable, "shape"));
    }
  }

  private Object fillValue(Types.NestedField field, String text, CellType type) {
    boolean isDefault = option(field.name(), "fill") == null;
    return isDefault
            && field.writeDefault() instanceof ByteBuffer bytes
            && type instanceof CellType.Objects
        ? ByteBuffers.toByteArray(bytes)
        : FillValues.of(field.name(), text, type);
  }

  /**
   * Returns the text of a fill value. The initial default of a column is not one: rows of files
   * from before the column have it, which the reader knows.
   */
  private Optional<String> fill(Types.NestedField field) {
    Object write = field.writeDefault();
    return Optional.ofNullable(option(field.name(), "fill"))
        .or(() -> Optional.ofNullable(write).map(value -> SparkDefaults.text(field.type(), value)));
  }

  private @Nullable String option(String variable, String option) {
    return properties.get(key(variable, option));
  }

  /**
   * Returns the reduction that properties declare.
   *
   * @throws io.sparknd.tensor.SparkNdException if a property is missing, or cannot be parsed
   */
  static Optional<VariableReduction> reduction(String variable, Map<String, String> properties) {
    Optional<String> declared = Optional.ofNullable(properties.get(key(variable, "reduction")));
    boolean hasWindows =
        properties.containsKey(key(variable, "window"))
            || properties.containsKey(key(variable, "tile"));
    if (declared.isEmpty() && hasWindows) {
      throw FeatureErrors.windowPropertyMissing(variable, key(variable, "reduction"));
    }
    return declared
        .map(
            name ->
                VariableReduction.of(
                    name,
                    Optional.ofNullable(properties.get(key(variable, "order"))),
                    Optional.ofNullable(properties.get(key(variable, "size")))
                        .map(size -> (int) positive(key(variable, "size"), size))))
        .map(reduction -> inWindows(reduction, variable, properties));
  }

  private static VariableReduction inWindows(
      VariableReduction reduction, String variable, Map<String, String> properties) {
    String windows = properties.get(key(variable, "window"));
    String tile = properties.get(key(variable, "tile"));
    if (windows == null && tile == null) {
      return reduction;
    }
    String missing = windows == null ? "window" : tile == null ? "tile" : "order";
    if (windows == null || tile == null || reduction.orderBy().isEmpty()) {
      throw FeatureErrors.windowPropertyMissing(variable, key(variable, missing));
    }
    return reduction.over(reduction.orderBy().get(), TimeWindows.parse(tile, windows));
  }

  /** Returns the names of the columns that hold the state of a column's reduction. */
  private List<String> state(Types.NestedField field) {
    return reduction(field.name(), properties)
        .map(
            reduction ->
                Stream.of(folds(field, reduction).state(reduction).fields())
                    .map(state -> stateColumn(field.name(), state))
                    .toList())
        .orElse(List.of());
  }

  /** Returns the name of a column of state. */
  public static String stateColumn(String variable, StructField state) {
    return variable + "__" + state.name();
  }

  private CellFolds folds(Types.NestedField field, VariableReduction reduction) {
    CellType order = reduction.orderBy().map(name -> type(field(name))).orElse(null);
    return new CellFolds(field.name(), type(field), order, "auto");
  }

  private CellType type(Types.NestedField field) {
    return declared(properties, SparkSchemaUtil.convert(field.type()), field.name());
  }

  /**
   * Returns whether properties declare dtype and shape of columns as these have them.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column cannot store what they declare
   */
  static boolean declares(Map<String, String> properties, List<FeatureColumn> columns) {
    return columns.stream()
        .allMatch(
            column ->
                declared(properties, column.type().sql(), column.name()).equals(column.type()));
  }

  private static CellType declared(Map<String, String> properties, DataType sql, String column) {
    Map<String, String> options = ofVariable(properties, column);
    return type(sql, dtype(options), shape(options), column);
  }

  /** Returns the dtype that the options of a variable declare. */
  static Optional<DType> dtype(Map<String, String> options) {
    return Optional.ofNullable(options.get("dtype")).map(DType::named);
  }

  /** Returns the shape that the options of a variable declare. */
  static Optional<Shape> shape(Map<String, String> options) {
    return Optional.ofNullable(options.get("shape")).map(Shape::parse);
  }

  /**
   * Returns the type of the cells of a column.
   *
   * @param dtype dtype of the elements, if the column's type does not say it
   * @param shape shape of a slice; empty for a scalar, or an array of any length
   * @throws io.sparknd.tensor.SparkNdException if the column cannot store such slices
   */
  static CellType type(DataType sql, Optional<DType> dtype, Optional<Shape> shape, String column) {
    if (sql.equals(DataTypes.BinaryType)) {
      return dtype.isPresent()
          ? new CellType.Elements(dtype.get(), shape.orElse(Shape.of()), sql)
          : new CellType.Objects(sql);
    }
    int rank = shape.map(Shape::rank).orElse(0);
    DataType element = sql;
    for (int level = 0; level < rank; level++) {
      if (!(element instanceof ArrayType array)) {
        throw FeatureErrors.variableShape(column, sql.simpleString(), shape.get());
      }
      element = array.elementType();
    }
    if (rank > 0 && element instanceof ArrayType) {
      throw FeatureErrors.variableShape(column, sql.simpleString(), shape.get());
    }
    DType natural = element(element);
    if (natural == null && rank == 0) {
      return new CellType.Objects(sql);
    }
    if (natural == null && dtype.isEmpty()) {
      throw FeatureErrors.variableElements(column, sql.simpleString(), shape.orElseThrow());
    }
    DType stored = dtype.filter(declared -> !isWidened(declared, natural)).orElse(natural);
    if (natural == null || !isStoredAs(Objects.requireNonNull(stored), natural)) {
      throw FeatureErrors.variableDType(column, sql.simpleString(), String.valueOf(stored));
    }
    return new CellType.Elements(stored, shape.orElse(Shape.of()), sql);
  }

  /** Returns whether another engine widened elements since their dtype was declared. */
  private static boolean isWidened(DType declared, @Nullable DType natural) {
    return declared == DType.INT32 && natural == DType.INT64
        || declared == DType.FLOAT32 && natural == DType.FLOAT64;
  }

  /**
   * Checks that a new variable does not declare a narrower dtype than its column has.
   *
   * @throws io.sparknd.tensor.SparkNdException if it does
   */
  static void requireOwnDType(Variable variable) {
    DataType sql = SparkSchemaUtil.convert(FeatureCatalog.columnType(variable));
    CellType type = type(sql, variable.dtype(), variable.shape(), variable.name());
    if (type instanceof CellType.Elements elements
        && variable.dtype().filter(declared -> declared != elements.dtype()).isPresent()) {
      throw FeatureErrors.variableDType(
          variable.name(), sql.simpleString(), variable.dtype().get().toString());
    }
  }

  /** Returns the dtype of a scalar SQL type; null if its values are kept as objects. */
  private static @Nullable DType element(DataType sql) {
    if (sql.equals(DataTypes.DateType)) {
      return DType.INT32;
    }
    if (sql.equals(DataTypes.TimestampType) || sql.equals(DataTypes.TimestampNTZType)) {
      return DType.INT64;
    }
    return SqlTypes.dtype(sql)
        .filter(
            dtype ->
                switch (dtype) {
                  case BOOL, INT32, INT64, FLOAT32, FLOAT64 -> true;
                  default -> false;
                })
        .orElse(null);
  }

  private static boolean isStoredAs(DType dtype, DType natural) {
    boolean isHalf = HalfFloats.isHalf(dtype);
    return dtype == natural || isHalf && natural == DType.FLOAT32;
  }
}
