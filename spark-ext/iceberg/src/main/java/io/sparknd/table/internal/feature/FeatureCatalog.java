/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellFolds;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.internal.store.PartitionNames;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Creates and opens feature tables. */
public final class FeatureCatalog {
  /** Rows that a bucket should have. */
  private static final long ROWS_PER_BUCKET = 1 << 17;

  /** Sets how many rows buckets should have. */
  private static final String ROWS_PER_BUCKET_PROPERTY = "sparknd.rows-per-bucket";

  private static final int DEFAULT_BUCKETS = 16;
  private static final int MAX_BUCKETS = 1 << 16;

  /** Small pages, so that a commit of few rows reads little. */
  private static final Map<String, String> DEFAULTS =
      Map.of("write.parquet.page-size-bytes", "131072");

  private FeatureCatalog() {}

  /**
   * Creates a table without rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table exists, or a variable's type and its
   *     reduction or shape do not match
   */
  public static StoredFeatures create(SparkSession spark, String name, FeatureTableSpec spec) {
    return create(spark, name, spec, Map.of());
  }

  /**
   * Creates a table without rows.
   *
   * @param comments comments of columns, by name
   * @throws io.sparknd.tensor.SparkNdException as {@link #create(SparkSession, String,
   *     FeatureTableSpec)}
   */
  public static StoredFeatures create(
      SparkSession spark, String name, FeatureTableSpec spec, Map<String, String> comments) {
    ListedState.requireFree(name, spec);
    Schema schema = schema(spec, comments);
    PartitionSpec partitions = partitions(schema, spec);
    Map<String, String> properties = new TreeMap<>(spec.properties());
    properties.putAll(ClassicSpark.withActive(spark, () -> properties(spec)));
    GatheredColumn.requireDistinct(
        name, FeatureProperties.format(name, schema, properties, BucketSpecs.buckets(partitions)));
    requireNamed(name, spec.properties(), List.of(columns(spec).fieldNames()));
    TimeToLive.in(properties, schema);
    TableCatalogs.Opened made =
        TableCatalogs.create(
            spark,
            name,
            new TableCatalogs.Definition(
                schema,
                partitions,
                spec.key().stream().map(FeatureTableSpec.KeyField::name).toList(),
                DEFAULTS,
                properties,
                created ->
                    ClassicSpark.withActive(
                        spark, () -> ColumnRecords.withState(name, properties, created))));
    return StoredFeatures.of(made.name(), made.table(), null);
  }

  /**
   * Checks that all properties of variables are of columns, which a misspelt name is not.
   *
   * @param properties properties that a specification gives
   */
  public static void requireNamed(
      String table, Map<String, String> properties, List<String> columns) {
    List<String> given =
        properties.keySet().stream().filter(FeatureProperties::isOfVariable).toList();
    for (String variable : FeatureProperties.named(given)) {
      if (!columns.contains(variable)) {
        throw FeatureErrors.noVariable(table, variable, columns);
      }
    }
  }

  private static Schema schema(FeatureTableSpec spec, Map<String, String> comments) {
    spec.variables().forEach(FeatureProperties::requireOwnDType);
    Map<String, Type> keys = new TreeMap<>();
    spec.key().forEach(key -> keys.put(key.name(), key.iceberg()));
    // Spark has no uuid, so the types of keys are set in Iceberg's schema
    return new Schema(
        SparkSchemaUtil.convert(columns(spec)).columns().stream()
            .map(
                field ->
                    Types.NestedField.from(field)
                        .ofType(keys.getOrDefault(field.name(), field.type()))
                        .withDoc(comments.get(field.name()))
                        .build())
            .toList());
  }

  /** Returns the columns of a specification: key, variables, and the state of reductions. */
  public static StructType columns(FeatureTableSpec spec) {
    StructType columns = new StructType();
    for (FeatureTableSpec.KeyField key : spec.key()) {
      columns = columns.add(key.name(), KeyType.of(key.name(), key.iceberg()).sql(), false);
    }
    for (Variable variable : spec.variables()) {
      columns = columns.add(variable.name(), variable.type(), true);
    }
    for (Variable variable : spec.variables()) {
      for (StructField state : state(variable, spec.variables()).fields()) {
        columns =
            columns.add(
                FeatureProperties.stateColumn(variable.name(), state), state.dataType(), true);
      }
    }
    return columns;
  }

  /**
   * Returns the fields of the state of a variable's reduction.
   *
   * @param variables all variables of the table
   */
  static StructType state(Variable variable, List<Variable> variables) {
    Optional<VariableReduction> reduction = variable.reduction();
    if (reduction.isEmpty()) {
      return new StructType();
    }
    CellType order =
        reduction
            .get()
            .orderBy()
            .map(
                name ->
                    variables.stream()
                        .filter(other -> other.name().equals(name))
                        .findFirst()
                        .map(FeatureCatalog::type)
                        .orElseThrow(
                            () ->
                                FeatureErrors.noOrderVariable(
                                    variable.name(), reduction.get().name(), name)))
            .orElse(null);
    CellFolds folds = new CellFolds(variable.name(), type(variable), order, "auto");
    folds.of(reduction.get());
    return folds.state(reduction.get());
  }

  /**
   * Returns the type of a variable's column.
   *
   * @throws io.sparknd.tensor.SparkNdException if Iceberg has none, as for intervals, or only one
   *     without the collation or the length
   */
  public static Type columnType(Variable variable) {
    if (SqlTypes.isCollated(variable.type())) {
      throw FeatureErrors.collation(variable.name(), variable.type().simpleString());
    }
    if (SqlTypes.hasTextLength(variable.type())) {
      throw FeatureErrors.textLength(
          variable.name(),
          variable.type().simpleString(),
          SqlTypes.withoutTextLength(variable.type()).simpleString());
    }
    try {
      return SparkSchemaUtil.convert(variable.type());
    } catch (UnsupportedOperationException e) {
      throw FeatureErrors.variableType(variable.name(), variable.type().simpleString());
    }
  }

  private static CellType type(Variable variable) {
    return FeatureProperties.type(
        SparkSchemaUtil.convert(columnType(variable)),
        variable.dtype(),
        variable.shape(),
        variable.name());
  }

  private static PartitionSpec partitions(Schema schema, FeatureTableSpec spec) {
    String first = spec.key().get(0).name();
    PartitionSpec.Builder builder = PartitionSpec.builderFor(schema);
    if (spec.size().isPresent()) {
      String name = PartitionNames.free(schema, first + "_trunc");
      return builder.truncate(first, (int) rowsPerBlock(spec), name).build();
    }
    String bucketed = spec.bucketColumn().orElse(first);
    String name = PartitionNames.free(schema, bucketed + "_bucket");
    return builder.bucket(bucketed, buckets(spec), name).build();
  }

  private static int buckets(FeatureTableSpec spec) {
    return spec.buckets()
        .orElseGet(() -> spec.expectedRows().map(FeatureCatalog::buckets).orElse(DEFAULT_BUCKETS));
  }

  /** Returns the number of buckets for a number of rows: a power of two. */
  public static int buckets(long rows) {
    long wanted = Math.max(1, Math.min(MAX_BUCKETS, rows / ROWS_PER_BUCKET));
    return (int) Long.highestOneBit(2 * wanted - 1);
  }

  /**
   * Returns the rows of a block: those of the property, as SHOW CREATE TABLE has it, if it is set.
   */
  private static long rowsPerBlock(FeatureTableSpec spec) {
    String given = spec.properties().get(TableProperties.ROWS_PER_BLOCK);
    if (given != null) {
      return Math.min(
          Integer.MAX_VALUE, FeatureProperties.positive(TableProperties.ROWS_PER_BLOCK, given));
    }
    long size = spec.size().getAsLong();
    long rows = spec.expectedRows().orElse(size);
    long blocks = buckets(Math.min(rows, size));
    return Math.max(1, Math.min(Integer.MAX_VALUE, size / blocks));
  }

  /** Returns the properties that describe a table of a specification. */
  private static Map<String, String> properties(FeatureTableSpec spec) {
    Map<String, String> properties = described(spec);
    if (spec.size().isPresent()) {
      properties.put(TableProperties.ROWS_PER_BLOCK, Long.toString(rowsPerBlock(spec)));
    }
    return properties;
  }

  /** Returns the properties of a specification that do not depend on partitions. */
  public static Map<String, String> described(FeatureTableSpec spec) {
    Map<String, String> properties = new TreeMap<>();
    properties.put(FormatNumber.PROPERTY, Integer.toString(FormatNumber.CURRENT));
    properties.put(
        FeatureProperties.KEY,
        String.join(",", spec.key().stream().map(FeatureTableSpec.KeyField::name).toList()));
    spec.bucketColumn()
        .ifPresent(column -> properties.put(FeatureProperties.BUCKET_COLUMN, column));
    if (spec.size().isPresent()) {
      properties.put(FeatureProperties.SIZE, Long.toString(spec.size().getAsLong()));
    }
    spec.variables().forEach(variable -> properties.putAll(FeatureProperties.of(variable)));
    return properties;
  }

  /**
   * Opens a table in its current state, for writing by one thread.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, it holds no features, or
   *     commits to it may be lost
   */
  public static StoredFeatures toWrite(SparkSession spark, String name) {
    TableCatalogs.Opened opened = TableCatalogs.load(spark, name);
    StoredFeatures table =
        StoredFeatures.toWrite(opened.name(), opened.table(), opened.table().currentSnapshot());
    TableCatalogs.requireSafe(spark, table);
    return table;
  }

  /**
   * Returns the table with more buckets if buckets of its labelled axis have too many rows.
   *
   * @param head the snapshot whose rows count; null if there is none
   */
  public static StoredFeatures rebucketed(StoredFeatures table, @Nullable Snapshot head) {
    if (!(table.format().axis() instanceof FeatureAxis.Labelled axis) || head == null) {
      return table;
    }
    // that of a branch may have files of fewer buckets than main
    StoredFeatures counted = table.toWriteAfter(head);
    long rows =
        counted.files(head.snapshotId()).values().stream().mapToLong(BlockFiles::liveRows).sum();
    long most = rowsPerBucket(table);
    int buckets = axis.buckets();
    while (rows / buckets - most > most && buckets <= MAX_BUCKETS / 2) { // 2 * most may overflow
      buckets *= 2;
    }
    if (buckets == axis.buckets()) {
      return table;
    }
    new FeatureEvolution(table).rebucket(buckets);
    return table.toWriteAfter(table.table().snapshot(head.snapshotId()));
  }

  private static long rowsPerBucket(StoredFeatures table) {
    String text = table.table().properties().get(ROWS_PER_BUCKET_PROPERTY);
    return text == null
        ? ROWS_PER_BUCKET
        : FeatureProperties.positive(ROWS_PER_BUCKET_PROPERTY, text);
  }
}
