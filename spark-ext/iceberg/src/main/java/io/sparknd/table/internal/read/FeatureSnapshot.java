/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.read;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.sql.internal.plan.KeyedGatherCall;
import io.sparknd.sql.internal.plan.KeyedRelation;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.GatherOutput;
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

  /** Whether it is a tensor, whose batches declare no valid time. */
  private final boolean isTensor;

  private FeatureSnapshot(StoredFeatures features, @Nullable Long snapshot, boolean isTensor) {
    this.features = features;
    this.snapshot = snapshot;
    this.isTensor = isTensor;
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
    return Optional.of(new FeatureSnapshot(features, snapshot, false));
  }

  /**
   * Returns a tensor table as variables by its index columns.
   *
   * @param snapshot null if nothing was written yet
   */
  static FeatureSnapshot ofTensor(StoredTensor tensor, @Nullable Long snapshot) {
    return new FeatureSnapshot(TensorFeatures.of(tensor), snapshot, true);
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
    if (clock == AsOf.Clock.VALID_TIME && isTensor) {
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
  public boolean hasMissingKeys() {
    return !isTensor;
  }

  @Override
  public TableQuery gather(Dataset<Row> rows, KeyedGatherCall call) {
    List<String> named = call.variables();
    List<GatheredColumn.Stored> columns =
        named.isEmpty()
            ? List.of()
            : GatheredColumn.stored(features.name(), features.format(), named, EXACT_NAMES);
    return query(
        gather(rows, call.listener())
            .run(
                rows,
                call.keyColumns(),
                new GatherOutput<>(columns, call.found()),
                policy(call.how())));
  }

  @Override
  public TableQuery gatherAsOf(Dataset<Row> rows, KeyedGatherCall call, AsOf asOf) {
    List<String> named = call.variables();
    List<GatheredColumn> columns =
        named.isEmpty()
            ? List.of()
            : GatheredColumn.timed(features.name(), features.format(), named, EXACT_NAMES);
    return query(
        gather(rows, call.listener())
            .runAsOf(
                rows,
                call.keyColumns(),
                new GatherOutput<>(columns, call.found()),
                policy(call.how()),
                asOf));
  }

  private FeatureGather gather(Dataset<Row> rows, MissingKeyListener listener) {
    OptionalLong at = snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot);
    return new FeatureGather(rows.sparkSession(), features, at, listener);
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
