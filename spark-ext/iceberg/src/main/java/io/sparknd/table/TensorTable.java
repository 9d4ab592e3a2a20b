/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.cluster.spark.SparkVersion;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.commit.BatchIds;
import io.sparknd.table.commit.OrphanFiles;
import io.sparknd.table.commit.TableCompaction;
import io.sparknd.table.commit.TableExpiry;
import io.sparknd.table.file.RowFormat;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.table.store.TableBranch;
import io.sparknd.table.store.TableCatalogs;
import io.sparknd.table.store.TableSelector;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
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
  private final TableBranch branch;
  private final OptionalLong pinned;

  private TensorTable(
      SparkSession spark, StoredTensor tensor, TableBranch branch, OptionalLong pinned) {
    this.spark = spark;
    this.tensor = tensor;
    this.branch = branch;
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
    SparkVersion.check();
    return latest(spark, TableCatalogs.create(spark, name, spec));
  }

  /**
   * Opens a table, or what a name of Iceberg's selects of it: {@code lake.features.users.branch_x},
   * or to be read only {@code .tag_x}, {@code .snapshot_id_42} or {@code
   * .at_timestamp_1700000000000}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, branch or snapshot, or it
   *     holds no tensor
   */
  public static TensorTable open(SparkSession spark, String name) {
    SparkVersion.check();
    TableCatalogs.Selected found = TableCatalogs.select(spark, name);
    TensorTable table = latest(spark, found.tensor());
    return found.selector().map(selector -> table.selected(selector)).orElse(table);
  }

  private static TensorTable latest(SparkSession spark, StoredTensor tensor) {
    return new TensorTable(spark, tensor, TableBranch.OF_SESSION, OptionalLong.empty());
  }

  private TensorTable selected(TableSelector selector) {
    return switch (selector.kind()) {
      case BRANCH -> branch(selector.value());
      case TAG -> tag(selector.value());
      case SNAPSHOT -> at(selector.number());
      case TIME -> asOf(Instant.ofEpochMilli(selector.number()));
    };
  }

  /**
   * A branch of the table, to be read and written. Without this call reads and commits go where
   * Iceberg's own go in the session: to main, or with {@code write.wap.enabled} as {@code
   * spark.wap.branch} and {@code spark.wap.id} say.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no such branch
   */
  public TensorTable branch(String name) {
    tensor.refresh();
    return new TensorTable(spark, tensor, TableBranch.of(tensor, name), OptionalLong.empty());
  }

  private TensorTable tag(String name) {
    SnapshotRef ref = tensor.table().refs().get(name);
    if (ref == null || !ref.isTag()) {
      throw TableErrors.noSuchSnapshot(name(), "of tag '" + name + "'");
    }
    return at(ref.snapshotId());
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
    tensor.refresh();
    return at(id);
  }

  /** A snapshot of the table as it was last looked at. */
  private TensorTable at(long id) {
    if (tensor.table().snapshot(id) == null) {
      throw TableErrors.noSuchSnapshot(name(), id);
    }
    return new TensorTable(spark, tensor, branch, OptionalLong.of(id));
  }

  /**
   * The tensor as it was at a time, to be read only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table is younger, or this is a branch: times
   *     are those of main
   */
  public TensorTable asOf(Instant time) {
    branch
        .name()
        .filter(name -> !name.equals(SnapshotRef.MAIN_BRANCH))
        .ifPresent(
            name -> {
              throw TableErrors.timeOfBranch(name(), name);
            });
    tensor.refresh();
    Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(tensor.table(), time.toEpochMilli());
    if (id == null) {
      throw TableErrors.noSuchSnapshot(name(), "as of " + time);
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
    tensor.refresh();
    long snapshot =
        BatchIds.find(tensor.table(), branch.head(spark, tensor), id)
            .orElseThrow(() -> TableErrors.noSuchBatch(name(), id));
    if (snapshot < 0) {
      throw TableErrors.noSuchBatch(name(), id);
    }
    return at(snapshot);
  }

  /** The snapshot that is read; empty where nothing was written yet. */
  public OptionalLong snapshot() {
    if (pinned.isPresent()) {
      return pinned;
    }
    tensor.refresh();
    Snapshot current = branch.head(spark, tensor);
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
    return TableWrite.to(spark, toWrite(), branch);
  }

  /** The table as it is now, which may have become another since it was opened. */
  private StoredTensor toWrite() {
    if (pinned.isPresent()) {
      throw TableErrors.pinnedSnapshot(name(), pinned.getAsLong());
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
    StoredTensor current = toWrite();
    return new TableCompaction(spark, current, branch.target(spark, current)).run();
  }

  /** Forgets snapshots, and deletes the files that only they had, as Iceberg's own expiry does. */
  public void expire(Retention retention) {
    TableExpiry.run(toWrite(), retention);
  }

  /**
   * Files that scatters which failed left behind: SparkND's writers gave them their names, for this
   * table, they lie in its data location, and no snapshot of this or another table of the catalog
   * that shares its location has them.
   *
   * @param olderThan more than any scatter takes: until it commits, its files look like that
   * @return their locations
   * @throws io.sparknd.tensor.SparkNdException if the catalog cannot say which tables it has, or
   *     what one of them has; or if the table has {@code gc.enabled} = false
   */
  public List<String> orphans(Duration olderThan) {
    return new OrphanFiles(spark, toWrite()).find(olderThan);
  }

  /**
   * Deletes what {@link #orphans} lists.
   *
   * @return the locations of files that are deleted
   */
  public List<String> removeOrphans(Duration olderThan) {
    return new OrphanFiles(spark, toWrite()).remove(olderThan);
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
