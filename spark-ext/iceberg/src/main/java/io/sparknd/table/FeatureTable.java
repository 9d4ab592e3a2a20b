/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.adoption.FeatureAdoption;
import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.FeatureCompaction;
import io.sparknd.table.internal.commit.OrphanFiles;
import io.sparknd.table.internal.commit.TableExpiry;
import io.sparknd.table.internal.commit.TableResize;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureEvolution;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.GatherOutput;
import io.sparknd.table.internal.feature.GatheredColumn;
import io.sparknd.table.internal.feature.KeyColumnNames;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.keyed.FeatureChanges;
import io.sparknd.table.internal.keyed.FeatureGather;
import io.sparknd.table.internal.keyed.StagedFeatures.KeyPolicy;
import io.sparknd.table.internal.publish.TablePublisher;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.internal.store.TableSelector;
import io.sparknd.table.internal.store.TableSparkVersion;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.GatheredVariables;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TablePublication;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Variables that share an axis, stored in an Iceberg table: one row for each key that was written,
 * one column for each variable. Keys are strings, integers, dates or binary values, one column or
 * several. Variables have any type, and may declare how updates combine.
 *
 * <p>Each write is one commit, as for {@link TensorTable}. Any Iceberg engine can read the table.
 */
public final class FeatureTable {
  private final SparkSession spark;
  private final String name;
  private final Table table;
  private final TableBranch branch;
  private final OptionalLong pinned;

  private FeatureTable(
      SparkSession spark, String name, Table table, TableBranch branch, OptionalLong pinned) {
    this.spark = spark;
    this.name = name;
    this.table = table;
    this.branch = branch;
    this.pinned = pinned;
  }

  /**
   * Creates a table without rows.
   *
   * @param name name of the table with its catalog, such as {@code lake.shop.users}; the namespace
   *     is created if it does not exist
   * @throws io.sparknd.tensor.SparkNdException if a table of that name exists, the catalog is not
   *     an Iceberg catalog, or the specification contradicts itself
   */
  public static FeatureTable create(SparkSession spark, String name, FeatureTableSpec spec) {
    TableSparkVersion.check();
    StoredFeatures made = FeatureCatalog.create(spark, name, spec);
    return latest(spark, made.name(), made.table());
  }

  /**
   * Adopts an existing Iceberg table as a feature table. One commit of metadata adds properties,
   * missing columns for the state of reductions, and buckets of the key if the table is not
   * partitioned. Data files do not change; a job reads all rows to check them.
   *
   * <p>The key columns must have no NULL and no duplicates. Variables that the specification does
   * not name are those of columns without a reduction. The table has format version 2 or later,
   * files in Parquet, and no equality deletes.
   *
   * @param spec columns with the names and types that the table has; a uuid key is a string.
   *     Buckets are those that the table has
   * @throws io.sparknd.tensor.SparkNdException if the table or a row of it does not match the
   *     specification; it does not change
   * @throws io.sparknd.table.exceptions.CommitConflictException if others changed the table during
   *     each check
   */
  public static FeatureTable adopt(SparkSession spark, String name, FeatureTableSpec spec) {
    TableSparkVersion.check();
    StoredFeatures adopted = FeatureAdoption.run(spark, name, spec);
    return latest(spark, adopted.name(), adopted.table());
  }

  /**
   * Opens a table, or a version of it selected by an Iceberg name, as {@link TensorTable#open}
   * does.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, branch or snapshot, or it
   *     is not a feature table
   */
  public static FeatureTable open(SparkSession spark, String name) {
    TableSparkVersion.check();
    TableCatalogs.Selected found = TableCatalogs.select(spark, name);
    FeatureTable opened = latest(spark, found.opened().name(), found.opened().table());
    opened.stored();
    return found.selector().map(opened::selected).orElse(opened);
  }

  private static FeatureTable latest(SparkSession spark, String name, Table table) {
    return new FeatureTable(spark, name, table, TableBranch.OF_SESSION, OptionalLong.empty());
  }

  private FeatureTable selected(TableSelector selector) {
    return switch (selector.kind()) {
      case BRANCH -> branch(selector.value());
      case TAG -> tag(selector.value());
      case SNAPSHOT -> at(selector.number());
      case TIME -> asOf(Instant.ofEpochMilli(selector.number()));
    };
  }

  /** Returns the table's format and files for work at the snapshot that reads use. */
  private StoredFeatures stored() {
    return stored(snapshot());
  }

  private StoredFeatures stored(OptionalLong at) {
    TableRefresh.requireFound(name, table);
    return StoredFeatures.of(name, table, at.isEmpty() ? null : table.snapshot(at.getAsLong()));
  }

  private void refresh() {
    TableRefresh.run(name, table);
  }

  private StoredFeatures current() {
    refresh();
    return StoredFeatures.of(name, table, table.currentSnapshot());
  }

  /**
   * Returns a branch of the table for reading and writing, as {@link TensorTable#branch} does.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no such branch
   */
  public FeatureTable branch(String of) {
    return new FeatureTable(
        spark, name, table, TableBranch.of(current(), of), OptionalLong.empty());
  }

  private FeatureTable tag(String tag) {
    SnapshotRef ref = table.refs().get(tag);
    if (ref == null || !ref.isTag()) {
      throw TableErrors.noSuchSnapshot(name, "of tag '" + tag + "'");
    }
    return at(ref.snapshotId());
  }

  /** Returns the full table name with catalog and namespace, quoted where SQL requires it. */
  public String name() {
    return name;
  }

  /** Returns the names of the key columns, in the order in which rows are sorted. */
  public List<String> keyColumns() {
    return format().axis().columns().stream().map(KeyColumn::name).toList();
  }

  /** Returns the names of the variables, in the order of the columns. */
  public List<String> variables() {
    return format().variableNames();
  }

  private FeatureFormat format() {
    return stored().format();
  }

  /**
   * Returns the table at a snapshot, read-only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no such snapshot, or it has expired
   */
  public FeatureTable snapshot(long id) {
    refresh();
    return at(id);
  }

  private FeatureTable at(long id) {
    if (table.snapshot(id) == null) {
      throw TableErrors.noSuchSnapshot(name, id);
    }
    return new FeatureTable(spark, name, table, branch, OptionalLong.of(id));
  }

  /**
   * Returns the table at a point in time, read-only.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table had no snapshot by then, or this is a
   *     branch: Iceberg records times of main only
   */
  public FeatureTable asOf(Instant time) {
    branch.requireTimes(name);
    refresh();
    Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(table, ClampedTimes.millis(time));
    if (id == null) {
      throw TableErrors.noSuchSnapshot(name, "as of " + time);
    }
    return at(id);
  }

  /**
   * Returns the table after a batch, read-only, as {@link TensorTable#batch} does.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table does not hold the batch, or its
   *     snapshot has expired
   */
  public FeatureTable batch(String id) {
    long found =
        BatchIds.find(table, branch.head(spark, current()), id)
            .orElseThrow(() -> TableErrors.noSuchBatch(name, id));
    if (found < 0) {
      throw TableErrors.noSuchBatch(name, id);
    }
    return at(found);
  }

  /** Returns the snapshot that reads use; empty if nothing was written yet. */
  public OptionalLong snapshot() {
    if (pinned.isPresent()) {
      return pinned;
    }
    Snapshot head = branch.head(spark, current());
    return head == null ? OptionalLong.empty() : OptionalLong.of(head.snapshotId());
  }

  /**
   * Starts a commit of one or more scatters.
   *
   * @throws io.sparknd.tensor.SparkNdException if this is a past snapshot
   */
  public FeatureWrite write() {
    requireLatest();
    return FeatureWrite.to(spark, name, branch);
  }

  private void requireLatest() {
    if (pinned.isPresent()) {
      throw TableErrors.pinnedSnapshot(name, pinned.getAsLong());
    }
  }

  /**
   * Scatters all columns of {@code rows} beside the key by their declared reductions, in one
   * commit.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link FeatureWrite#commit}
   */
  public TableCommit scatter(Dataset<Row> rows) {
    return write().scatter(rows).commit();
  }

  /**
   * Returns the rows of {@code rows}, in any order, with one more column for each variable. A key
   * that was never written, and a NULL key, have the fill value of each variable. Only pages that
   * may have the keys are read, at the snapshot that was current at the call.
   *
   * @param keyColumns columns of {@code rows} with the columns of the key, in the order of {@link
   *     #keyColumns}
   * @param variables requested variables; all if none is named
   * @throws io.sparknd.tensor.SparkNdException if a column is missing, of another type, or has the
   *     name of a requested variable; or if a key column has the name of another column of the key
   *     than it is given for
   */
  public Dataset<Row> gather(Dataset<Row> rows, List<String> keyColumns, String... variables) {
    return gather(rows, keyColumns, GatheredVariables.of(variables));
  }

  /**
   * Gathers as {@link #gather(Dataset, List, String...)} does, and says on request which keys are
   * in the table.
   *
   * @param variables requested variables, and whether a column says which keys were found
   * @throws io.sparknd.tensor.SparkNdException as the other method, or if the name of that column
   *     is taken
   */
  public Dataset<Row> gather(
      Dataset<Row> rows, List<String> keyColumns, GatheredVariables variables) {
    OptionalLong snapshot = snapshot();
    StoredFeatures at = stored(snapshot);
    ColumnNameMatcher matcher = ColumnNameMatcher.in(rows);
    requireKey(at, keyColumns, matcher);
    List<GatheredColumn.Stored> columns =
        GatheredColumn.stored(name, at.format(), variables.names(), matcher);
    GatherOutput<GatheredColumn.Stored> added =
        new GatherOutput<>(columns, variables.foundColumn());
    added.requireFree(rows, matcher);
    return new FeatureGather(spark, at, snapshot).run(rows, keyColumns, added, KeyPolicy.NO_BLOCK);
  }

  /**
   * Returns the rows of {@code labels}, in any order, with one more column for each variable: its
   * value at the time of the label, by the clock of commits. See {@link #gatherAsOf(Dataset, List,
   * AsOf, String...)}.
   *
   * @param time column of {@code labels} with the time of each
   */
  public Dataset<Row> gatherAsOf(
      Dataset<Row> labels, List<String> keyColumns, String time, String... variables) {
    return gatherAsOf(labels, keyColumns, AsOf.commitTime(time), variables);
  }

  /**
   * Returns the rows of {@code labels}, in any order, with one more column for each variable: its
   * value at the time of the label. A key that had not been written then has the fill value, as has
   * every key before the table's first snapshot. Labels need no order; each file of the table's
   * history is read once, however many snapshots have it.
   *
   * <p>A variable that is reduced in windows of time is given by its windows, in columns such as
   * {@code views_7d}, each with the tiles that ended by the time of the label. A window without
   * updates has the fill value.
   *
   * <p>The snapshots are those that led to the one that reads use; by the clock of commits, for the
   * main branch also those that were rolled back later. A variable that was added later has its
   * fill value before.
   *
   * @param keyColumns as for {@link #gather}
   * @param asOf the column of times, the clock, and what happens if a snapshot has expired
   * @param variables requested variables and windows; all if none is named
   * @throws io.sparknd.tensor.SparkNdException as {@link #gather}; or if a label is of a time whose
   *     snapshot has expired, or for which tiles of a window were evicted, unless {@code asOf}
   *     allows it
   */
  public Dataset<Row> gatherAsOf(
      Dataset<Row> labels, List<String> keyColumns, AsOf asOf, String... variables) {
    return gatherAsOf(labels, keyColumns, asOf, GatheredVariables.of(variables));
  }

  /**
   * Gathers as {@link #gatherAsOf(Dataset, List, AsOf, String...)} does, and says on request which
   * keys were in the table at the times of their labels.
   *
   * @param variables requested variables and windows, and whether a column says which keys were
   *     found
   * @throws io.sparknd.tensor.SparkNdException as the other method, or if the name of that column
   *     is taken
   */
  public Dataset<Row> gatherAsOf(
      Dataset<Row> labels, List<String> keyColumns, AsOf asOf, GatheredVariables variables) {
    OptionalLong snapshot = snapshot();
    StoredFeatures at = stored(snapshot);
    ColumnNameMatcher matcher = ColumnNameMatcher.in(labels);
    List<GatheredColumn> columns =
        GatheredColumn.timed(name, at.format(), variables.names(), matcher);
    GatherOutput<GatheredColumn> added = new GatherOutput<>(columns, variables.foundColumn());
    added.requireFree(labels, matcher);
    requireKey(at, keyColumns, matcher);
    return new FeatureGather(spark, at, snapshot)
        .runAsOf(labels, keyColumns, added, KeyPolicy.NO_BLOCK, asOf);
  }

  /**
   * Returns the rows that differ between an earlier state of the table and this one, in any order:
   * those of a batch by {@code table.batch("b").changesSince(table.batch("a"))}. They are found in
   * the files that were added and removed between the states, and in the key columns of files whose
   * rows were deleted; others are not read. A row that was only moved, by a compaction for example,
   * or set to the value that it had is not a change.
   *
   * <p>Columns are the key, the variables as of this state with their fill values, {@code
   * _change_type}, which is {@code INSERT}, {@code UPDATE_AFTER} or {@code DELETE} as in Iceberg's
   * change logs, and {@code _changed_variables}, their names. The variables of a deleted row are
   * NULL. If {@code before} is later than this state, the changes undo what was written since.
   *
   * @param before the same table, opened or at a snapshot, batch or time
   * @throws io.sparknd.tensor.SparkNdException if {@code before} is another table
   */
  public Dataset<Row> changesSince(FeatureTable before) {
    before.refresh();
    OptionalLong from = before.snapshot();
    OptionalLong to = snapshot();
    refresh();
    if (!before.table.uuid().equals(table.uuid())) {
      throw FeatureErrors.otherTable(name, before.name);
    }
    StoredFeatures at = stored(to);
    return new FeatureChanges(spark, at).between(at.snapshotOf(from), at.snapshotOf(to));
  }

  /**
   * Brings an online store to this state of the table: sends the rows that differ from the state
   * that the store has, or all rows if there is none, its snapshot has expired, or the table has
   * other variables now. After a rollback, or from an older snapshot, it sets the store back to
   * this state. Rows have the values that {@link #changesSince} has, with fill values; rows that
   * were evicted are deleted.
   *
   * <p>The store records its state. Each row is written as a whole; readers may see some rows of
   * the new state before the others. If a publication fails, the next one completes it. If another
   * publication begins meanwhile, the earlier one stops and changes nothing more.
   *
   * @throws io.sparknd.table.exceptions.CommitConflictException if another publication to the same
   *     place began meanwhile
   * @throws io.sparknd.tensor.SparkNdException if the store fails, or something there has the name
   *     or a key of a row, and is not of publications of this table
   */
  public TablePublication publish(PublishSink sink) {
    return TablePublisher.run(spark, this::published, sink, SqlNames.lastPart(name));
  }

  private TablePublisher.State published() {
    OptionalLong to = snapshot();
    return TablePublisher.State.of(stored(to), to);
  }

  private void requireKey(StoredFeatures at, List<String> given, ColumnNameMatcher session) {
    List<String> key = at.format().axis().columns().stream().map(KeyColumn::name).toList();
    KeyColumnNames.require(name, key, given, session);
  }

  /**
   * Returns the rows that were written, as Iceberg reads them at the snapshot that reads use; a
   * past snapshot has the columns of its time.
   */
  public Dataset<Row> toDataset() {
    if (pinned.isPresent()) {
      String version = Long.toString(pinned.getAsLong());
      return spark.read().option("versionAsOf", version).table(name);
    }
    refresh();
    return branch.toRead(spark, name, table).map(this::ofBranch).orElseGet(() -> spark.table(name));
  }

  /**
   * Returns the rows of a branch, as a version: option {@code branch}, and reads of the session's
   * branch, need Iceberg's extensions. A version that is a number would be a snapshot's id.
   */
  private Dataset<Row> ofBranch(String of) {
    if (!of.matches("[+-]?[0-9]+")) {
      return spark.read().option("versionAsOf", of).table(name);
    }
    List<String> parts = new ArrayList<>(SqlNames.parts(name));
    parts.add("branch_" + of);
    return spark.table(SqlNames.joined(parts));
  }

  /**
   * Compacts each block that has several files or deleted rows into one file for each bucket. If
   * buckets of a labelled axis have more than 2^18 rows on average, their number is doubled first,
   * until they have about half as many. Values do not change; readers and writers may go on
   * meanwhile.
   */
  public TableCommit compact() {
    requireLatest();
    StoredFeatures stored = FeatureCatalog.toWrite(spark, name);
    return FeatureCompaction.intoEnoughBuckets(spark, stored, branch.target(spark, stored)).run();
  }

  /**
   * Evicts the rows that satisfy a condition: their variables have the fill value again. Of the
   * result, {@code rows} is their number. If another commit changes their blocks meanwhile, the
   * condition is evaluated again on what it left there.
   *
   * @param condition a condition of SQL on columns of the table, as in {@code WHERE}: it sees
   *     stored values, NULL and not the fill value where none is stored. Rows for which it is NULL
   *     stay
   * @throws io.sparknd.table.exceptions.CommitConflictException if other commits won every race;
   *     the table does not change
   */
  public TableCommit evict(String condition) {
    return evict(functions.expr(condition));
  }

  /** Evicts the rows that satisfy a condition, as {@link #evict(String)} does. */
  public TableCommit evict(Column condition) {
    return eviction().evict(condition);
  }

  /**
   * Evicts the rows that satisfy a condition, as {@link #evict(String)} does, as a batch.
   *
   * @param batchId as for {@link FeatureWrite#batchId}: a batch that the table's current state
   *     already holds evicts nothing
   */
  public TableCommit evict(Column condition, String batchId) {
    return eviction().batchId(batchId).evict(condition);
  }

  /**
   * Evicts the rows whose time to live ended before {@code now}, as {@link
   * FeatureTableSpec#withTimeToLive} declares it; until then, reads return them. A row without a
   * time stays.
   *
   * <p>By the clock of valid times, the rows are gone from {@code now} on, or from the commit on if
   * {@code now} is in the future. {@link #eviction} takes another time.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table declares no time to live
   */
  public TableCommit evictExpired(Instant now) {
    return eviction().evictExpired(now);
  }

  /** Evicts the rows whose time to live ended, as a batch. */
  public TableCommit evictExpired(Instant now, String batchId) {
    return eviction().batchId(batchId).evictExpired(now);
  }

  /**
   * Starts an eviction with a batch id or a valid time.
   *
   * @throws io.sparknd.tensor.SparkNdException if this is a past snapshot
   */
  public EvictionWrite eviction() {
    requireLatest();
    return EvictionWrite.of(spark, name, branch);
  }

  /**
   * Adds a variable, without rewriting files. Rows that exist have its fill value.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is such a column, or the variable's type
   *     and its reduction or shape do not match
   */
  public FeatureTable addVariable(Variable variable) {
    return ClassicSpark.withActive(
        spark,
        () -> {
          evolve(evolution -> evolution.add(List.of(variable)));
          return this;
        });
  }

  /**
   * Renames a variable, without rewriting files.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable, a column has the new
   *     name, or the variable orders the updates of another one
   */
  public FeatureTable renameVariable(String from, String to) {
    evolve(evolution -> evolution.rename(from, to));
    return this;
  }

  /**
   * Drops a variable, without rewriting files.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable, or it orders the
   *     updates of another one
   */
  public FeatureTable dropVariable(String variable) {
    evolve(evolution -> evolution.drop(List.of(variable)));
    return this;
  }

  /**
   * Changes the size of the numbered axis, as {@link TensorTable#resize} does.
   *
   * @throws io.sparknd.tensor.SparkNdException if the axis is labelled, {@code size} is not
   *     positive, or a row beyond it is stored in a branch: delete it first
   */
  public FeatureTable resize(long size) {
    requireLatest();
    new TableResize(spark, name, FeatureCatalog.toWrite(spark, name).table()).run(size);
    TableRefresh.afterCommit("resizing", name, table);
    return this;
  }

  private void evolve(Consumer<FeatureEvolution> change) {
    requireLatest();
    FeatureEvolution.apply(spark, name, change);
  }

  /**
   * Expires snapshots and deletes the files that only they reference, as Iceberg's own expiry does.
   */
  public void expire(Retention retention) {
    requireLatest();
    TableExpiry.run(FeatureCatalog.toWrite(spark, name), retention);
  }

  /** Lists the files that failed scatters left behind, as {@link TensorTable#orphans} does. */
  public List<String> orphans(Duration olderThan) {
    return new OrphanFiles(spark, FeatureCatalog.toWrite(spark, name)).find(olderThan);
  }

  /** Deletes the files that {@link #orphans} lists, and returns their locations. */
  public List<String> removeOrphans(Duration olderThan) {
    return new OrphanFiles(spark, FeatureCatalog.toWrite(spark, name)).remove(olderThan);
  }

  /** Returns the underlying Iceberg table. */
  public Table iceberg() {
    return table;
  }

  /** Returns name, key and variables, as in {@code lake.shop.users: (user) -> views, city}. */
  @Override
  public String toString() {
    return name
        + ": ("
        + String.join(", ", keyColumns())
        + ") -> "
        + String.join(", ", variables());
  }
}
