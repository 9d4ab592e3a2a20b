/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.adoption.TensorAdoption;
import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.OrphanFiles;
import io.sparknd.table.internal.commit.TableCompaction;
import io.sparknd.table.internal.commit.TableExpiry;
import io.sparknd.table.internal.commit.TableResize;
import io.sparknd.table.internal.feature.GatherOutput;
import io.sparknd.table.internal.feature.GatheredColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.feature.TensorFeatures;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.keyed.FeatureChanges;
import io.sparknd.table.internal.keyed.FeatureGather;
import io.sparknd.table.internal.keyed.StagedFeatures.KeyPolicy;
import io.sparknd.table.internal.publish.TablePublisher;
import io.sparknd.table.internal.read.FeatureRows;
import io.sparknd.table.internal.read.TableReads;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.internal.store.TableSelector;
import io.sparknd.table.internal.store.TableSparkVersion;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableInfo;
import io.sparknd.table.result.TablePublication;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A tensor stored in an Iceberg table, which any Iceberg engine can read. The table contains only
 * rows that were written: a tensor of 10^10 rows of which 10^6 were written costs what 10^6 rows
 * cost. All other rows have the fill value.
 *
 * <p>Each scatter is one commit. Readers see the tensor before or after it, whatever fails in
 * between. No scatter of concurrent writers is lost: the table equals the scatters applied in
 * commit order.
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
   * Creates a table without rows, so that every element has the fill value.
   *
   * @param name name of the table with its catalog, such as {@code lake.features.users}; the
   *     namespace is created if it does not exist
   * @throws io.sparknd.tensor.SparkNdException if a table of that name exists, or the catalog is
   *     not an Iceberg catalog
   */
  public static TensorTable create(SparkSession spark, String name, TensorSpec spec) {
    TableSparkVersion.check();
    return latest(spark, TableCatalogs.create(spark, name, spec));
  }

  /**
   * Adopts an existing Iceberg table as a tensor table. Only properties are written; a job reads
   * all rows to check them. The table must have the columns of a table that {@link #create} makes,
   * and no others: bigint index columns, then the value columns. It must be partitioned by {@code
   * truncate(W, i0)}.
   *
   * @param spec rows per block are {@code W}
   * @throws io.sparknd.tensor.SparkNdException if the table or a row of it does not match the
   *     specification; it does not change
   */
  public static TensorTable adopt(SparkSession spark, String name, TensorSpec spec) {
    TableSparkVersion.check();
    return latest(spark, TensorAdoption.run(spark, name, spec));
  }

  /**
   * Opens a table, or a version of it selected by an Iceberg name: {@code
   * lake.features.users.branch_x}, or read-only {@code .tag_x}, {@code .snapshot_id_42} or {@code
   * .at_timestamp_1700000000000}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, branch or snapshot, or it
   *     holds no tensor
   */
  public static TensorTable open(SparkSession spark, String name) {
    TableSparkVersion.check();
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
   * Returns a branch of the table for reading and writing. Without this call, reads and commits use
   * the branch that Iceberg itself uses in the session: main, or if {@code write.wap.enabled} is
   * set, the one given by {@code spark.wap.branch} and {@code spark.wap.id}.
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

  /** Returns the full table name with catalog and namespace, quoted where SQL requires it. */
  public String name() {
    return tensor.name();
  }

  public DType dtype() {
    return rows().dtype();
  }

  /** Returns the shape at the snapshot that reads use. */
  public Shape shape() {
    return read(snapshot()).format().rows().shape();
  }

  public ValueLayout layout() {
    return ValueLayout.of(rows().values());
  }

  /**
   * Returns the tensor at a snapshot, read-only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no such snapshot, or it has expired
   */
  public TensorTable snapshot(long id) {
    tensor.refresh();
    return at(id);
  }

  /** Returns the tensor at a snapshot of the table's last loaded state. */
  private TensorTable at(long id) {
    if (tensor.table().snapshot(id) == null) {
      throw TableErrors.noSuchSnapshot(name(), id);
    }
    return new TensorTable(spark, tensor, branch, OptionalLong.of(id));
  }

  /**
   * Returns the tensor at a point in time, read-only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table had no snapshot by then, or this is a
   *     branch: Iceberg records times of main only
   */
  public TensorTable asOf(Instant time) {
    branch.requireTimes(name());
    tensor.refresh();
    Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(tensor.table(), ClampedTimes.millis(time));
    if (id == null) {
      throw TableErrors.noSuchSnapshot(name(), "as of " + time);
    }
    return at(id);
  }

  /**
   * Returns the tensor after a batch, read-only. The batch must be part of the table's current
   * state; batches that were rolled back do not count.
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

  /** Returns the snapshot that reads use; empty if nothing was written yet. */
  public OptionalLong snapshot() {
    if (pinned.isPresent()) {
      return pinned;
    }
    tensor.refresh();
    Snapshot current = branch.head(spark, tensor);
    return current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId());
  }

  /** Returns the tensor at a snapshot of the table's last loaded state. */
  private StoredTensor read(OptionalLong snapshot) {
    TableRefresh.requireFound(name(), tensor.table());
    Snapshot at = snapshot.isEmpty() ? null : tensor.table().snapshot(snapshot.getAsLong());
    return StoredTensor.of(name(), tensor.table(), at);
  }

  /**
   * Changes the first dimension of the shape, for all branches. Only metadata changes: new rows
   * have the fill value until they are written. Readers that have begun keep the old shape, and so
   * do snapshots from before the tensor shrank.
   *
   * @param rows the new first dimension
   * @throws io.sparknd.tensor.SparkNdException if {@code rows} is not positive, or the tensor would
   *     have more than 2^63 - 1 elements; a row beyond it is stored in a branch: delete it first;
   *     or this is a past snapshot
   */
  public TensorTable resize(long rows) {
    new TableResize(spark, name(), toWrite().table()).run(rows);
    TableRefresh.afterCommit("resizing", name(), tensor.table());
    return this;
  }

  /**
   * Scatters the rows of a table or query in one commit.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link TableWrite#commit}
   */
  public TableCommit scatter(Scatter how, Dataset<Row> updates, TensorColumns columns) {
    return write().scatter(how, updates, columns).commit();
  }

  /**
   * Starts a commit of several scatters, or of one with a batch id.
   *
   * @throws io.sparknd.tensor.SparkNdException if this is a past snapshot
   */
  public TableWrite write() {
    return TableWrite.to(spark, toWrite(), branch);
  }

  /** Reloads the table by name; it may have been replaced since it was opened. */
  private StoredTensor toWrite() {
    if (pinned.isPresent()) {
      throw TableErrors.pinnedSnapshot(name(), pinned.getAsLong());
    }
    return TableCatalogs.toWrite(spark, name());
  }

  /**
   * Returns the rows of {@code indices} with one more column, {@code value}: the slice that the
   * row's index columns name. Only blocks that the rows name are read. All indices are checked
   * before the call returns; slices are read when the result is used, from the snapshot that was
   * current at the call.
   *
   * @param indexColumns one or more integer columns, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}
   */
  public Dataset<Row> gather(Gather how, Dataset<Row> indices, List<String> indexColumns) {
    OptionalLong snapshot = snapshot();
    return TableReads.gather(spark, read(snapshot), snapshot, how, indices, indexColumns);
  }

  /**
   * Gathers as {@link #gather} does, with one column per feature instead of one for the slice.
   *
   * @param indexColumns as many as the table has
   * @param features requested features; all if none is named
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
   * Returns the rows of {@code labels}, in any order, with the values of the row that they name as
   * of their own time, by the clock of commits. See {@link #gatherAsOf(Dataset, List, AsOf)}.
   *
   * @param time column of {@code labels} with the time of each
   */
  public Dataset<Row> gatherAsOf(Dataset<Row> labels, List<String> indexColumns, String time) {
    return gatherAsOf(labels, indexColumns, AsOf.commitTime(time));
  }

  /**
   * Returns the rows of {@code labels}, in any order, with the values of the row that they name as
   * of their own time, as {@link FeatureTable#gatherAsOf} does. A row that had not been written
   * then has the fill value. Each file of the table's history is read once, however many snapshots
   * have it.
   *
   * <p>The added columns are the value columns of the table, as {@link #changesSince} has them. The
   * shape is that of the snapshot that reads use.
   *
   * @param indexColumns integer columns of {@code labels}, as many as the table has index columns
   * @param asOf the column of times, the clock, and what happens if a snapshot has expired. The
   *     clock is not that of valid times, which batches of a tensor do not declare
   * @throws io.sparknd.tensor.SparkNdException if the clock is that of valid times; a column is
   *     missing, of another type, or has the name of a value column; an index is NULL or out of
   *     bounds; or a label is of a time whose snapshot has expired, unless {@code asOf} allows it
   */
  public Dataset<Row> gatherAsOf(Dataset<Row> labels, List<String> indexColumns, AsOf asOf) {
    if (asOf.clock() == AsOf.Clock.VALID_TIME) {
      throw TableErrors.noValidTimes(name());
    }
    OptionalLong snapshot = snapshot();
    StoredFeatures at = TensorFeatures.of(read(snapshot));
    if (indexColumns.size() != rows().indexColumns().size()) {
      throw TableErrors.indexColumnsOfRow(name(), rows().indexColumns(), indexColumns);
    }
    ColumnNameMatcher matcher = ColumnNameMatcher.in(labels);
    List<GatheredColumn> columns = GatheredColumn.timed(name(), at.format(), List.of(), matcher);
    GatherOutput<GatheredColumn> added = new GatherOutput<>(columns, Optional.empty());
    added.requireFree(labels, matcher);
    return new FeatureGather(spark, at, snapshot)
        .runAsOf(labels, indexColumns, added, KeyPolicy.ERROR, asOf);
  }

  /**
   * Returns the rows that were written: bigint index columns, and one column with a scalar, or with
   * arrays nested as deep as the slice, whatever the layout.
   */
  public Dataset<Row> toDataset() {
    OptionalLong snapshot = snapshot();
    return TableReads.rows(spark, read(snapshot), snapshot);
  }

  /**
   * Returns the rows that differ between an earlier state of the table and this one, in any order,
   * as {@link FeatureTable#changesSince} does: those of a batch by {@code
   * table.batch("b").changesSince(table.batch("a"))}. Only files that differ are read. A row that
   * was only moved, by a compaction for example, or set to the value that it had is not a change.
   *
   * <p>Columns are the bigint index columns, the value columns of the table with the new values,
   * {@code _change_type}, and {@code _changed_variables}, the names of the value columns that
   * differ. Values have the types of {@link #toDataset}; slices that are stored as binary values
   * are bytes. Columns added by other engines are left out. The types of changes are:
   *
   * <ul>
   *   <li>{@code INSERT}: the row was not stored before.
   *   <li>{@code UPDATE_AFTER}: the row was stored, and has other values.
   *   <li>{@code DELETE}: the row is no longer stored. Its elements read as the fill value; its
   *       value columns are NULL.
   * </ul>
   *
   * @param before the same table, opened or at a snapshot, batch or time
   * @throws io.sparknd.tensor.SparkNdException if {@code before} is another table
   */
  public Dataset<Row> changesSince(TensorTable before) {
    before.tensor.refresh();
    OptionalLong from = before.snapshot();
    OptionalLong to = snapshot();
    tensor.refresh();
    if (!before.iceberg().uuid().equals(iceberg().uuid())) {
      throw FeatureErrors.otherTable(name(), before.name());
    }
    StoredFeatures at = TensorFeatures.of(read(to));
    return new FeatureChanges(spark, at).between(at.snapshotOf(from), at.snapshotOf(to));
  }

  /**
   * Brings an online store to this state of the table, as {@link FeatureTable#publish} does: the
   * store has one row for each stored row of the table, keyed by its index. A missing row has the
   * fill value. Values are those of {@link #changesSince}.
   *
   * @throws io.sparknd.table.exceptions.CommitConflictException if another publication to the same
   *     place began meanwhile
   * @throws io.sparknd.tensor.SparkNdException if the store fails, or something there has the name
   *     or a key of a row, and is not of publications of this table
   */
  public TablePublication publish(PublishSink sink) {
    return TablePublisher.run(spark, this::published, sink, SqlNames.lastPart(name()));
  }

  private TablePublisher.State published() {
    OptionalLong to = snapshot();
    return TablePublisher.State.of(TensorFeatures.of(read(to)), to);
  }

  /** Loads the whole tensor into the cluster's memory. */
  public DistributedTensor load(Partitioning partitioning) {
    OptionalLong snapshot = snapshot();
    return TableReads.load(spark, read(snapshot), snapshot, partitioning);
  }

  public TableInfo info() {
    OptionalLong snapshot = snapshot();
    return TableReads.info(read(snapshot), snapshot);
  }

  /**
   * Compacts each block that has several files or deleted rows into one file. The tensor does not
   * change; scatters may run concurrently.
   */
  public TableCommit compact() {
    StoredTensor current = toWrite();
    return new TableCompaction(spark, current, branch.target(spark, current)).run();
  }

  /**
   * Expires snapshots and deletes the files that only they reference, as Iceberg's own expiry does.
   */
  public void expire(Retention retention) {
    TableExpiry.run(toWrite(), retention);
  }

  /**
   * Lists the files that failed scatters left behind. Such a file is in the table's data location,
   * has a name that SparkND gives to files of this table, and is in no snapshot of this table or of
   * another table of the catalog that shares the location.
   *
   * @param olderThan longer than any scatter takes: until a scatter commits, its files look like
   *     orphans
   * @return their locations
   * @throws io.sparknd.tensor.SparkNdException if the catalog cannot list its tables or the files
   *     of one of them; or if the table has {@code gc.enabled} = false
   */
  public List<String> orphans(Duration olderThan) {
    return new OrphanFiles(spark, toWrite()).find(olderThan);
  }

  /**
   * Deletes the files that {@link #orphans} lists.
   *
   * @return the locations of the deleted files
   */
  public List<String> removeOrphans(Duration olderThan) {
    return new OrphanFiles(spark, toWrite()).remove(olderThan);
  }

  /** Returns the underlying Iceberg table. */
  public Table iceberg() {
    return tensor.table();
  }

  private RowFormat rows() {
    return tensor.format().rows();
  }

  /** Returns name, dtype and shape, as in {@code lake.features.users: float32[1000000, 64]}. */
  @Override
  public String toString() {
    return name() + ": " + dtype() + read(pinned).format().rows().shape();
  }
}
