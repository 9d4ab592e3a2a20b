/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.table.internal.AdoptionErrors;
import io.sparknd.table.internal.feature.BucketSpecs;
import io.sparknd.table.internal.feature.ColumnRecords;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.SnapshotRows;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.feature.TimeToLive;
import io.sparknd.table.internal.store.PartitionNames;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * Makes a feature table of an Iceberg table that exists, by its metadata only: properties, columns
 * of state that are missing, and buckets if it has no partitions. Files stay as they are.
 */
public final class FeatureAdoption {
  private final SparkSession spark;
  private final AdoptedTable adopted;
  private final FeatureTableSpec spec;

  private FeatureAdoption(SparkSession spark, AdoptedTable adopted, FeatureTableSpec spec) {
    this.spark = spark;
    this.adopted = adopted;
    this.spec = spec;
  }

  /**
   * Adopts a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, partitions, files or rows do not match
   *     the specification; the table does not change
   */
  public static StoredFeatures run(SparkSession spark, String name, FeatureTableSpec spec) {
    AdoptedTable adopted = AdoptedTable.open(spark, name);
    FeatureAdoption adoption = new FeatureAdoption(spark, adopted, withOrders(adopted, spec));
    adopted.adopt(adoption::check, adoption::change);
    return StoredFeatures.of(adopted.name(), adopted.table(), adopted.table().currentSnapshot());
  }

  /** Returns the specification with the columns that order updates, as variables. */
  private static FeatureTableSpec withOrders(AdoptedTable adopted, FeatureTableSpec spec) {
    FeatureTableSpec all = spec;
    for (Variable variable : spec.variables()) {
      Optional<String> order = variable.reduction().flatMap(VariableReduction::orderBy);
      boolean isKnown =
          order.isEmpty()
              || all.variables().stream().anyMatch(other -> other.name().equals(order.get()));
      if (!isKnown) {
        DataType type = SparkSchemaUtil.convert(adopted.column(order.get()).type());
        all = all.with(Variable.of(order.get(), type));
      }
    }
    return all;
  }

  private void check() {
    for (FeatureTableSpec.KeyField key : spec.key()) {
      requireKeyType(key);
    }
    for (Variable variable : spec.variables()) {
      FeatureCatalog.columnType(variable);
      requireType(variable.name(), variable.type());
    }
    List<StructField> missing = missingState();
    requirePartitions();
    Map<String, String> described = properties();
    Schema schema = missing.isEmpty() ? adopted.table().schema() : withState(missing).apply();
    adopted.requireNoOther(FeatureProperties::isOfAxisOrVariable, withRecords(described, schema));
    FeatureFormat format = FeatureProperties.format(adopted.name(), schema, described, buckets());
    FeatureCatalog.requireNamed(
        adopted.name(),
        spec.properties(),
        schema.columns().stream().map(field -> field.name()).toList());
    Map<String, String> all = new HashMap<>(adopted.table().properties());
    all.putAll(described);
    TimeToLive.in(all, schema);
    StoredFeatures.candidate(
            adopted.name(), adopted.table(), format, adopted.table().currentSnapshot())
        .requireColumns()
        .files(adopted.head());
    adopted.reject(
        new FeatureProblems(format, new SnapshotRows(spark, adopted.table(), adopted.head()).rows())
            .find());
  }

  /** A uuid may be declared as string, which it is in Spark; no other type as uuid. */
  private void requireKeyType(FeatureTableSpec.KeyField key) {
    boolean isUuid = key.iceberg().typeId() == Type.TypeID.UUID;
    Type found = adopted.column(key.name()).type();
    if (isUuid && found.typeId() != Type.TypeID.UUID) {
      throw AdoptionErrors.adoptedType(
          adopted.name(), key.name(), SparkSchemaUtil.convert(found).sql(), "UUID");
    }
    requireType(key.name(), SparkSchemaUtil.convert(key.iceberg()));
  }

  private void requireType(String column, DataType wanted) {
    DataType found = SparkSchemaUtil.convert(adopted.column(column).type());
    DataType stored = SparkSchemaUtil.convert(SparkSchemaUtil.convert(wanted));
    if (!found.catalogString().equals(stored.catalogString())) {
      throw AdoptionErrors.adoptedType(adopted.name(), column, found.sql(), wanted.sql());
    }
  }

  /** Returns the columns of state that the table does not have. */
  private List<StructField> missingState() {
    Set<String> present =
        adopted.table().schema().columns().stream()
            .map(field -> field.name())
            .collect(Collectors.toCollection(HashSet::new));
    StructField[] columns = FeatureCatalog.columns(spec).fields();
    List<StructField> state =
        List.of(columns).subList(spec.key().size() + spec.variables().size(), columns.length);
    state.stream()
        .filter(field -> present.contains(field.name()))
        .forEach(field -> requireType(field.name(), field.dataType()));
    return state.stream().filter(field -> !present.contains(field.name())).toList();
  }

  private UpdateSchema withState(List<StructField> missing) {
    return withState(adopted.table().updateSchema(), missing);
  }

  private static UpdateSchema withState(UpdateSchema schema, List<StructField> missing) {
    missing.forEach(
        field -> schema.addColumn(null, field.name(), SparkSchemaUtil.convert(field.dataType())));
    return schema;
  }

  private String bucketColumn() {
    PartitionSpec current = adopted.table().spec();
    if (spec.bucketColumn().isEmpty() && BucketSpecs.buckets(current) > 0) {
      return adopted.table().schema().findColumnName(BucketSpecs.field(current).sourceId());
    }
    return spec.bucketColumn().orElse(spec.key().get(0).name());
  }

  private boolean isUnpartitioned() {
    return adopted.table().spec().isUnpartitioned();
  }

  /** Checks that the table is partitioned as the axis is, or not at all. */
  private void requirePartitions() {
    PartitionSpec current = adopted.table().spec();
    boolean isOfAxis =
        spec.size().isPresent()
            ? BucketSpecs.width(current) > 0 && source(current).equals(spec.key().get(0).name())
            : isUnpartitioned()
                || BucketSpecs.buckets(current) > 0
                    && source(current).equals(bucketColumn())
                    && spec.buckets().orElse(buckets()) == BucketSpecs.buckets(current);
    if (!isOfAxis) {
      throw AdoptionErrors.adoptedPartitions(adopted.name(), adopted.partitions(), wanted());
    }
  }

  private String source(PartitionSpec current) {
    return adopted.table().schema().findColumnName(BucketSpecs.field(current).sourceId());
  }

  private String wanted() {
    return spec.size().isPresent()
        ? "truncate(W, " + spec.key().get(0).name() + ") alone"
        : "bucket("
            + spec.buckets().map(String::valueOf).orElse("N")
            + ", "
            + spec.bucketColumn().orElse("a column of the key")
            + ") alone, or no partitions";
  }

  /** Returns the number of buckets of new files; 0 for a numbered axis. */
  private int buckets() {
    if (spec.size().isPresent()) {
      return 0;
    }
    int current = BucketSpecs.buckets(adopted.table().spec());
    return current > 0
        ? current
        : spec.buckets()
            .orElseGet(
                () -> FeatureCatalog.buckets(Math.max(rows(), spec.expectedRows().orElse(0L))));
  }

  private long rows() {
    Snapshot head = adopted.table().currentSnapshot();
    return head == null
        ? 0
        : PropertyUtil.propertyAsLong(head.summary(), SnapshotSummary.TOTAL_RECORDS_PROP, 0);
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>(spec.properties());
    properties.putAll(ClassicSpark.withActive(spark, () -> FeatureCatalog.described(spec)));
    if (spec.size().isPresent()) {
      int width = BucketSpecs.width(adopted.table().spec());
      properties.put(TableProperties.ROWS_PER_BLOCK, Integer.toString(width));
    } else {
      properties.put(FeatureProperties.BUCKET_COLUMN, bucketColumn());
    }
    Map<String, String> all = new HashMap<>(adopted.table().properties());
    all.putAll(properties);
    properties.putAll(ColumnRecords.of(all, adopted.table().schema()));
    return properties;
  }

  /** Returns properties with the records of state, whose columns a schema has. */
  private Map<String, String> withRecords(Map<String, String> properties, Schema schema) {
    Map<String, String> all = new TreeMap<>(properties);
    all.putAll(
        ClassicSpark.withActive(
            spark, () -> ColumnRecords.withState(adopted.name(), properties, schema)));
    return all;
  }

  private void change(Transaction transaction) {
    int buckets = buckets();
    List<StructField> missing = missingState();
    if (!missing.isEmpty()) {
      withState(transaction.updateSchema(), missing).commit();
    }
    UpdateProperties update = transaction.updateProperties();
    withRecords(properties(), transaction.table().schema()).forEach(update::set);
    update.commit();
    if (isUnpartitioned()) {
      UpdatePartitionSpec partitions = transaction.updateSpec();
      // what version 1 leaves of a field that was dropped
      adopted.table().spec().fields().forEach(field -> partitions.removeField(field.name()));
      partitions
          .addField(
              PartitionNames.free(adopted.table(), bucketColumn() + "_bucket_" + buckets),
              Expressions.bucket(bucketColumn(), buckets))
          .commit();
    }
  }
}
