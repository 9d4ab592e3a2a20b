/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.StagedScatter;
import io.sparknd.table.internal.commit.TableScatter;
import io.sparknd.table.internal.read.FeatureRows;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.result.TableCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scatters to write to a table in one commit: readers see all of them or none. Immutable; each call
 * returns a new instance.
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
   * Adds a scatter that applies after the previous ones.
   *
   * <p>Duplicates apply in the order of {@code columns.orderBy()} if given, else in row order, as
   * in {@link io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}.
   *
   * @param rows index columns, of any depth up to the tensor's rank, and a value column of slices
   */
  public TableWrite scatter(Scatter how, Dataset<Row> rows, TensorColumns columns) {
    return and(new StagedScatter(how, rows, columns));
  }

  /**
   * Adds a scatter to some features of rows. A null in {@code rows} leaves its feature unchanged.
   *
   * @param rows index columns with the names of the table's, and one column per feature
   * @throws io.sparknd.tensor.SparkNdException if the table was not created by {@link
   *     TensorSpec#withFeatures}, or a column is missing
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
   * Sets the batch's id. If the table's current state already holds a batch of this id, {@link
   * #commit} does nothing, so a pipeline may resend a batch whose success is unknown. Of batches
   * whose snapshots {@link TensorTable#expire} removed, the last ten thousand are known.
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
   * Runs the scatters and commits them.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, or if a
   *     row has a null, a value of another length or an index that its scatter rejects; the table
   *     does not change
   * @throws io.sparknd.table.exceptions.CommitConflictException as {@link IfChanged#FAIL} says, or
   *     if other commits won every race; the table does not change
   * @throws io.sparknd.table.exceptions.CommitUnknownException if the response to the commit is
   *     lost and the table cannot be reloaded: the commit may have succeeded
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
