/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.commit.BatchIds;
import io.sparknd.table.commit.TableCompaction;
import io.sparknd.table.commit.TableExpiry;
import io.sparknd.table.file.RowFormat;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.table.store.TableCatalogs;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A tensor kept in an Iceberg table, which any Iceberg engine can read. Only rows that were written
 * are in it: a tensor of 10^10 rows of which 10^6 were written costs what 10^6 rows cost. All
 * others hold the fill value.
 *
 * <p>A scatter is one commit. Readers see the tensor before it or after it, whatever fails on the
 * way, and of scatters by several writers at once none is lost: the table holds what they make of
 * it in the order of their commits.
 */
public final class TensorTable {
  private final SparkSession spark;
  private final StoredTensor tensor;
  private final OptionalLong pinned;

  private TensorTable(SparkSession spark, StoredTensor tensor, OptionalLong pinned) {
    this.spark = spark;
    this.tensor = tensor;
    this.pinned = pinned;
  }

  /**
   * Makes a table without rows, every element being the fill value.
   *
   * @param name of the table with its catalog, such as {@code lake.features.users}; the namespace
   *     is made if it is not there
   * @throws io.sparknd.tensor.SparkNdException if there is a table of that name, or the catalog is
   *     none of Iceberg's
   */
  public static TensorTable create(SparkSession spark, String name, TensorSpec spec) {
    return new TensorTable(spark, TableCatalogs.create(spark, name, spec), OptionalLong.empty());
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or it holds no tensor
   */
  public static TensorTable open(SparkSession spark, String name) {
    return new TensorTable(spark, TableCatalogs.open(spark, name), OptionalLong.empty());
  }

  /** The table with its catalog and namespace, parts quoted where SQL needs it. */
  public String name() {
    return tensor.name();
  }

  public DType dtype() {
    return rows().dtype();
  }

  public Shape shape() {
    return rows().shape();
  }

  public ValueLayout layout() {
    return ValueLayout.of(rows().values());
  }

  /**
   * The tensor as it was at a snapshot, to be read only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no such snapshot, or it has expired
   */
  public TensorTable snapshot(long id) {
    tensor.table().refresh();
    return at(id);
  }

  /** A snapshot of the table as it was last looked at. */
  private TensorTable at(long id) {
    if (tensor.table().snapshot(id) == null) {
      throw NdErrors.noSuchSnapshot(name(), id);
    }
    return new TensorTable(spark, tensor, OptionalLong.of(id));
  }

  /**
   * The tensor as it was at a time, to be read only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table is younger
   */
  public TensorTable asOf(Instant time) {
    tensor.table().refresh();
    Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(tensor.table(), time.toEpochMilli());
    if (id == null) {
      throw NdErrors.noSuchSnapshot(name(), "as of " + time);
    }
    return at(id);
  }

  /**
   * The tensor as a batch left it, to be read only. It is of the table as it is now: what was
   * rolled back does not count.
   *
   * @param id as in {@link TableWrite#batchId}
   * @throws io.sparknd.tensor.SparkNdException if the table does not hold the batch, or its
   *     snapshot has expired
   */
  public TensorTable batch(String id) {
    tensor.table().refresh();
    long snapshot =
        BatchIds.find(tensor.table(), id).orElseThrow(() -> NdErrors.noSuchBatch(name(), id));
    if (snapshot < 0) {
      throw NdErrors.noSuchBatch(name(), id);
    }
    return at(snapshot);
  }

  /** The snapshot that is read; empty where nothing was written yet. */
  public OptionalLong snapshot() {
    if (pinned.isPresent()) {
      return pinned;
    }
    tensor.table().refresh();
    Snapshot current = tensor.table().currentSnapshot();
    return current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId());
  }

  /**
   * Scatters the rows of a table or query, in a commit of its own.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link TableWrite#commit}
   */
  public TableCommit scatter(Scatter how, Dataset<Row> updates, TensorColumns columns) {
    return write().scatter(how, updates, columns).commit();
  }

  /**
   * Several scatters in one commit, or one with a batch id.
   *
   * @throws io.sparknd.tensor.SparkNdException if this is a snapshot of the past
   */
  public TableWrite write() {
    return TableWrite.to(spark, toWrite());
  }

  /** The table as it is now, which may have become another since it was opened. */
  private StoredTensor toWrite() {
    if (pinned.isPresent()) {
      throw NdErrors.pinnedSnapshot(name(), pinned.getAsLong());
    }
    return TableCatalogs.toWrite(spark, name());
  }

  /**
   * The rows of {@code indices}, each with the slice that its index columns name in one more
   * column, {@code value}. Only blocks that rows name are read. All indices are looked at before
   * the call returns; slices are read when the result is used, from the snapshot that was current
   * at the call.
   *
   * @param indexColumns one at least; integer columns, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}
   */
  public Dataset<Row> gather(Gather how, Dataset<Row> indices, List<String> indexColumns) {
    return TableReads.gather(spark, tensor, snapshot(), how, indices, indexColumns);
  }

  /**
   * As {@link #gather}, with a column for each feature in place of one for the slice.
   *
   * @param indexColumns as many as the table has
   * @param features those that are wanted; all, if none is named
   * @throws io.sparknd.tensor.SparkNdException as {@link #gather}, or if {@link
   *     TensorSpec#withFeatures} did not name such features
   */
  public Dataset<Row> gatherFeatures(
      Gather how, Dataset<Row> indices, List<String> indexColumns, String... features) {
    FeatureRows rows = FeatureRows.of(tensor);
    rows.requireIndices(indexColumns);
    rows.requireFree(indices, features);
    return rows.gathered(
        indices, indexColumns, (some, columns) -> gather(how, some, columns), features);
  }

  /**
   * The rows that were written: index columns of bigint, and a scalar or arrays nested as deep as
   * the slice in one more, whatever the layout.
   */
  public Dataset<Row> toDataset() {
    return TableReads.rows(spark, tensor, snapshot());
  }

  /** The whole tensor in the memory of the cluster. */
  public DistributedTensor load(Partitioning partitioning) {
    return TableReads.load(spark, tensor, snapshot(), partitioning);
  }

  public TableInfo info() {
    return TableReads.info(tensor, snapshot());
  }

  /**
   * Puts each block whose rows are in several files, or partly deleted, into one file. The tensor
   * stays the same; scatters may go on meanwhile.
   */
  public TableCommit compact() {
    return new TableCompaction(spark, toWrite()).run();
  }

  /** Forgets snapshots, and deletes files that no snapshot has any more, or ever had. */
  public void expire(Retention retention) {
    TableExpiry.run(spark, toWrite(), retention);
  }

  /** The Iceberg table itself. */
  public Table iceberg() {
    return tensor.table();
  }

  private RowFormat rows() {
    return tensor.format().rows();
  }

  /** Name, dtype and shape, as in {@code lake.features.users: float32[1000000, 64]}. */
  @Override
  public String toString() {
    return name() + ": " + dtype() + shape();
  }
}
