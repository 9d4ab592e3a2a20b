/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.commit.BatchIds;
import io.sparknd.table.commit.StagedScatter;
import io.sparknd.table.commit.TableScatter;
import io.sparknd.table.store.CommitTarget;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.table.store.TableBranch;
import io.sparknd.table.store.TableCatalogs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scatters that go into a table as one commit: other readers see all of them or none. Immutable;
 * each call makes another.
 */
public final class TableWrite {
  private final SparkSession spark;
  private final StoredTensor tensor;
  private final TableBranch branch;
  private final List<StagedScatter> updates;
  private final Optional<String> batchId;
  private final IfChanged ifChanged;

  private TableWrite(
      SparkSession spark,
      StoredTensor tensor,
      TableBranch branch,
      List<StagedScatter> updates,
      Optional<String> batchId,
      IfChanged ifChanged) {
    this.spark = spark;
    this.tensor = tensor;
    this.branch = branch;
    this.updates = updates;
    this.batchId = batchId;
    this.ifChanged = ifChanged;
  }

  static TableWrite to(SparkSession spark, StoredTensor tensor, TableBranch branch) {
    return new TableWrite(spark, tensor, branch, List.of(), Optional.empty(), IfChanged.REDO);
  }

  /**
   * And one more scatter, after the ones before.
   *
   * <p>Duplicates apply in the order that {@code columns} asks for, else in the order of the rows,
   * as in {@link io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}.
   *
   * @param rows index columns, of any depth up to the tensor's rank, and a value column of slices
   */
  public TableWrite scatter(Scatter how, Dataset<Row> rows, TensorColumns columns) {
    return and(new StagedScatter(how, rows, columns));
  }

  /**
   * And one more scatter, to some of the features of rows: a null in {@code rows} leaves its
   * feature as it was.
   *
   * @param rows index columns of the names that the table's have, and a column of each feature
   * @throws io.sparknd.tensor.SparkNdException if {@link TensorSpec#withFeatures} did not make the
   *     table, or a column is missing
   */
  public TableWrite scatterFeatures(Scatter how, Dataset<Row> rows, FeatureColumns columns) {
    return and(FeatureRows.of(tensor).updates(how, rows, columns));
  }

  private TableWrite and(StagedScatter update) {
    List<StagedScatter> more = new ArrayList<>(updates);
    more.add(update);
    return new TableWrite(spark, tensor, branch, List.copyOf(more), batchId, ifChanged);
  }

  /**
   * Names the batch: if the table as it is now holds a batch of this name already, {@link #commit}
   * does nothing. So a pipeline may send a batch again, not knowing whether it went through. Of
   * snapshots that {@link TensorTable#expire} forgot, the last ten thousand batches are known.
   *
   * @param id not empty, and without commas
   */
  public TableWrite batchId(String id) {
    BatchIds.check(id);
    return new TableWrite(spark, tensor, branch, updates, Optional.of(id), ifChanged);
  }

  public TableWrite ifChanged(IfChanged policy) {
    return new TableWrite(
        spark, tensor, branch, updates, batchId, Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Runs the scatters.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, a row
   *     has a null, a value of another length or an index that its scatter refuses; or as {@link
   *     IfChanged#FAIL} says. The table is as it was then
   */
  public TableCommit commit() {
    if (updates.isEmpty()) {
      return TableCommit.none(TableCommit.Outcome.EMPTY, -1);
    }
    StoredTensor current = TableCatalogs.toWrite(spark, tensor.name());
    CommitTarget target = branch.target(spark, current);
    return new TableScatter(spark, current, target, updates, batchId, ifChanged).run();
  }
}
