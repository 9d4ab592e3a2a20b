/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.read;

import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.FoldListener;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.plan.KeyedRelation;
import io.sparknd.sql.internal.plan.TensorRelation;
import io.sparknd.table.internal.block.TensorTableRows;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.table.result.TableInfo;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A tensor table at one snapshot, read by the SQL operators; the public API is {@link TensorTable}.
 */
public final class TableSnapshot implements TensorRelation {
  private static final long serialVersionUID = 1;

  private final StoredTensor tensor;

  /** Null if nothing was written yet. */
  private final @Nullable Long snapshot;

  private TableSnapshot(StoredTensor tensor, @Nullable Long snapshot) {
    this.tensor = tensor;
    this.snapshot = snapshot;
  }

  /**
   * Returns the tensor that {@code table} holds; empty if it is not a tensor table.
   *
   * @param name for messages
   * @param snapshot null if nothing was written yet
   * @throws io.sparknd.tensor.SparkNdException if the table's partitioning is no longer its
   *     tensor's
   */
  public static Optional<TableSnapshot> of(String name, Table table, @Nullable Long snapshot) {
    if (!table.properties().containsKey(TableProperties.LAYOUT)) {
      return Optional.empty();
    }
    StoredTensor at =
        StoredTensor.of(name, table, snapshot == null ? null : table.snapshot(snapshot));
    return Optional.of(new TableSnapshot(at, snapshot));
  }

  /**
   * Returns the branch that Iceberg reads; null for the current snapshot.
   *
   * @param named the branch that the relation names
   * @param options options of the read
   * @throws io.sparknd.tensor.SparkNdException if the branch does not exist, or settings contradict
   *     each other
   */
  public static @Nullable String branch(
      SparkSession spark,
      String name,
      Table table,
      Optional<String> named,
      CaseInsensitiveStringMap options) {
    return TableBranch.read(spark, name, table, named, options);
  }

  @Override
  public DType dtype() {
    return tensor.format().rows().dtype();
  }

  @Override
  public Shape shape() {
    return tensor.format().rows().shape();
  }

  /** The table's index columns, outermost dimension first. */
  public List<String> indexColumns() {
    return tensor.format().rows().indexColumns();
  }

  /** The table's value columns: one, or one for each element of a slice. */
  public List<String> valueColumns() {
    return tensor.format().rows().values().names();
  }

  public ValueLayout layout() {
    return ValueLayout.of(tensor.format().rows().values());
  }

  @Override
  public StructType schema() {
    return TensorTableRows.schema(tensor.format().rows());
  }

  /** Returns the value columns as variables by the index columns. */
  public KeyedRelation keyedByIndex() {
    return FeatureSnapshot.ofTensor(tensor, snapshot);
  }

  public TableInfo info() {
    return TableReads.info(tensor, id());
  }

  private OptionalLong id() {
    return snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot);
  }

  /**
   * Gathers slices as {@link io.sparknd.table.TensorTable#gather} does.
   *
   * @param indices without a column {@code value}
   */
  @Override
  public TableQuery gather(
      SparkSession spark, Gather how, Dataset<Row> indices, List<String> indexColumns) {
    return new TableQuery(
        TableReads.gatherCall(spark, tensor, id()).joined(how, indices, indexColumns),
        Optional.empty(),
        List.of());
  }

  /**
   * Returns slices of the tensor after the updates, one row each; the table does not change.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}
   */
  @Override
  public TableQuery scatter(
      SparkSession spark,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range,
      FoldListener listener) {
    return TableQuery.scatter(
        TableReads.tensor(spark, tensor, id(), range), how, updates, columns, range, listener);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableSnapshot that
        && Objects.equals(snapshot, that.snapshot)
        && tensor.format().equals(that.tensor.format())
        && tensor.table().location().equals(that.tensor.table().location())
        && tensor.name().equals(that.tensor.name());
  }

  @Override
  public int hashCode() {
    return Objects.hash(snapshot, tensor.table().location());
  }

  /** Returns the form shown in plans: {@code lake.features.users, layout binary, snapshot 42}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, layout %s, %s",
        tensor.name(),
        layout().name().toLowerCase(Locale.ROOT),
        snapshot == null ? "nothing written" : "snapshot " + snapshot);
  }
}
