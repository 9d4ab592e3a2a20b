/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.read;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.sql.internal.plan.KeyedRelation;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.GatheredColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.feature.TensorFeatures;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.keyed.FeatureGather;
import io.sparknd.table.internal.keyed.StagedFeatures.KeyPolicy;
import io.sparknd.table.internal.store.StoredTensor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A feature table, or a tensor table as one, at one snapshot, read by the SQL operators; the public
 * API is {@link io.sparknd.table.FeatureTable}.
 */
public final class FeatureSnapshot implements KeyedRelation {
  private static final long serialVersionUID = 1;
  private static final ColumnNameMatcher EXACT_NAMES = new ColumnNameMatcher(true);

  private final transient StoredFeatures features; // only the driver reads it
  private final @Nullable Long snapshot;

  /** Whether batches may declare a valid time; those of a tensor do not. */
  private final boolean hasValidTimes;

  private FeatureSnapshot(StoredFeatures features, @Nullable Long snapshot, boolean hasValidTimes) {
    this.features = features;
    this.snapshot = snapshot;
    this.hasValidTimes = hasValidTimes;
  }

  /**
   * Returns the features that {@code table} holds; empty if it is not a feature table.
   *
   * @param name for messages
   * @param snapshot null if nothing was written yet
   * @throws io.sparknd.tensor.SparkNdException if the table is no longer partitioned by its key
   */
  public static Optional<FeatureSnapshot> of(String name, Table table, @Nullable Long snapshot) {
    if (!FeatureProperties.isFeatureTable(table.properties())) {
      return Optional.empty();
    }
    StoredFeatures features =
        StoredFeatures.of(name, table, snapshot == null ? null : table.snapshot(snapshot));
    return Optional.of(new FeatureSnapshot(features, snapshot, true));
  }

  /**
   * Returns a tensor table as variables by its index columns.
   *
   * @param snapshot null if nothing was written yet
   */
  static FeatureSnapshot ofTensor(StoredTensor tensor, @Nullable Long snapshot) {
    return new FeatureSnapshot(TensorFeatures.of(tensor), snapshot, false);
  }

  @Override
  public String table() {
    return features.name();
  }

  @Override
  public StructType keys() {
    StructType keys = new StructType();
    for (KeyColumn key : features.format().axis().columns()) {
      keys = keys.add(key.name(), key.type().sql(), false);
    }
    return keys;
  }

  @Override
  public StructType variables(List<String> named, ColumnNameMatcher session) {
    return schema(GatheredColumn.stored(features.name(), features.format(), named, session));
  }

  @Override
  public StructType timedVariables(
      List<String> named, AsOf.Clock clock, ColumnNameMatcher session) {
    if (clock == AsOf.Clock.VALID_TIME && !hasValidTimes) {
      throw TableErrors.noValidTimes(features.name());
    }
    return schema(GatheredColumn.timed(features.name(), features.format(), named, session));
  }

  private static StructType schema(List<? extends GatheredColumn> added) {
    StructType columns = new StructType();
    for (GatheredColumn column : added) {
      columns = columns.add(column.name(), column.column().type().sql(), true);
    }
    return columns;
  }

  @Override
  public TableQuery gather(
      SparkSession spark,
      Gather how,
      Dataset<Row> rows,
      List<String> keyColumns,
      List<String> variables) {
    return query(
        gather(spark)
            .run(
                rows,
                keyColumns,
                variables.isEmpty()
                    ? List.of()
                    : GatheredColumn.stored(
                        features.name(), features.format(), variables, EXACT_NAMES),
                policy(how)));
  }

  @Override
  public TableQuery gatherAsOf(
      SparkSession spark,
      Gather how,
      AsOf asOf,
      Dataset<Row> rows,
      List<String> keyColumns,
      List<String> variables) {
    return query(
        gather(spark)
            .runAsOf(
                rows,
                keyColumns,
                variables.isEmpty()
                    ? List.of()
                    : GatheredColumn.timed(
                        features.name(), features.format(), variables, EXACT_NAMES),
                policy(how),
                asOf));
  }

  private FeatureGather gather(SparkSession spark) {
    OptionalLong at = snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot);
    return new FeatureGather(spark, features, at);
  }

  private static KeyPolicy policy(Gather how) {
    return how.indices().bad() instanceof BadIndices.Error ? KeyPolicy.ERROR : KeyPolicy.NO_BLOCK;
  }

  private static TableQuery query(Dataset<Row> found) {
    return new TableQuery(InternalRows.of(found), Optional.empty(), List.of());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureSnapshot that
        && Objects.equals(snapshot, that.snapshot)
        && features.format().equals(that.features.format())
        && features.table().location().equals(that.features.table().location())
        && features.name().equals(that.features.name());
  }

  @Override
  public int hashCode() {
    return Objects.hash(snapshot, features.table().location());
  }

  /** Returns the form shown in plans: {@code lake.shop.users, snapshot 42}. */
  @Override
  public String toString() {
    return features.name() + (snapshot == null ? ", nothing written" : ", snapshot " + snapshot);
  }
}
