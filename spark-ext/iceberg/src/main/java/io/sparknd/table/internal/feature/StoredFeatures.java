/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.ChecksumVerification;
import io.sparknd.table.internal.key.KeyBuckets;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.BlockRange;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.internal.store.NumberedAxis;
import io.sparknd.table.internal.store.SnapshotColumns;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * An Iceberg table that holds features.
 *
 * <p>For a labelled axis, there are as many blocks as the greatest common divisor of the numbers of
 * buckets that partition specs of the table's files have, so that a block is a union of buckets of
 * each. SparkND itself only ever doubles the number of buckets.
 *
 * @param blocks number of blocks of a labelled axis; 0 for a numbered one
 * @param checksums whether page checksums are verified in reads
 */
public record StoredFeatures(
    String name, Table table, FeatureFormat format, int blocks, ChecksumVerification checksums)
    implements StoredTable {

  /** Above this number of blocks, a filter for them costs more than it saves. */
  private static final int MAX_FILTERED = 200;

  /**
   * Returns the features that {@code table} holds, for reads of its files at a snapshot and later
   * ones. Others may have changed the partition spec of new files: those that exist keep theirs.
   *
   * @param snapshot null if there is none
   * @throws io.sparknd.tensor.SparkNdException if {@code table} is no feature table, is of a later
   *     format, is encrypted, or never was partitioned as one, or others renamed or replaced the
   *     column of a variable
   */
  public static StoredFeatures of(String name, Table table, @Nullable Snapshot snapshot) {
    StoredFeatures now = opened(name, table, snapshot);
    return NumberedAxis.of(table.properties())
        .map(axis -> now.format().resized(axis.sizeAt(snapshot)))
        .map(format -> new StoredFeatures(name, table, format, now.blocks(), now.checksums()))
        .orElse(now);
  }

  /**
   * Returns the features that {@code table} holds, for commits that follow a snapshot: a numbered
   * axis has the size that the table has now, even if the snapshot is from before it shrank.
   *
   * @param snapshot null if there is none
   * @throws io.sparknd.tensor.SparkNdException as {@link #of}, or if others changed the partitions
   */
  static StoredFeatures toWrite(String name, Table table, @Nullable Snapshot snapshot) {
    StoredFeatures opened = opened(name, table, snapshot);
    new BucketSpecs(name, table, opened.format().axis()).requireCurrent();
    return opened;
  }

  private static StoredFeatures opened(String name, Table table, @Nullable Snapshot snapshot) {
    if (table.properties().containsKey(org.apache.iceberg.TableProperties.ENCRYPTION_TABLE_KEY)) {
      throw TableErrors.encryptedTable(name);
    }
    FormatNumber.requireKnown(name, table.properties());
    RenamedVariables.requireNone(name, table);
    int buckets =
        FeatureProperties.bucketColumn(table.schema(), table.properties())
            .map(column -> BucketSpecs.newest(table, column.fieldId()))
            .orElse(0);
    FeatureFormat format =
        FeatureProperties.format(name, table.schema(), table.properties(), buckets);
    new StateColumns(name, table.schemas().values(), table.properties(), format).require();
    BucketSpecs specs = new BucketSpecs(name, table, format.axis());
    specs.requireAny();
    return new StoredFeatures(
        name, table, format, specs.blocks(specIds(table, snapshot)), ChecksumVerification.VERIFIED);
  }

  /**
   * Returns the features for commits that follow a snapshot, such as that of a branch, whose files
   * may have other partition specs.
   *
   * @param head null if there is none
   */
  public StoredFeatures toWriteAfter(@Nullable Snapshot head) {
    return toWrite(name, table, head);
  }

  @Override
  public OptionalLong size() {
    return format.axis() instanceof FeatureAxis.Numbered numbered
        ? OptionalLong.of(numbered.size())
        : OptionalLong.empty();
  }

  @Override
  public boolean hasOtherColumns() {
    return !format.hasColumns(table.schema().columns())
        || !FeatureProperties.declares(table.properties(), format.columns());
  }

  @Override
  public boolean hasOtherSpec() {
    return !new BucketSpecs(name, table, format.axis()).isOfNewFiles(table.spec());
  }

  @Override
  public boolean hasOtherPartitions(@Nullable Snapshot head) {
    BucketSpecs specs = new BucketSpecs(name, table, format.axis());
    return hasOtherSpec() || blocks > 0 && specs.blocks(specIds(table, head)) % blocks != 0;
  }

  /**
   * Returns the features that a table would hold with other properties, schema and partitions, for
   * reads of its files.
   *
   * @param snapshot null if there is none
   */
  public static StoredFeatures candidate(
      String name, Table table, FeatureFormat format, @Nullable Snapshot snapshot) {
    int blocks = new BucketSpecs(name, table, format.axis()).blocks(specIds(table, snapshot));
    return new StoredFeatures(name, table, format, blocks, ChecksumVerification.VERIFIED);
  }

  /**
   * Checks the columns of state, as every open does, apart from records, and the names of windows,
   * as every creation does.
   *
   * @return this
   * @throws io.sparknd.tensor.SparkNdException if a column of state is of another type or older
   *     than its variable, or a window has the name of a column
   */
  public StoredFeatures requireColumns() {
    new StateColumns(name, table.schemas().values(), Map.of(), format).require();
    GatheredColumn.requireDistinct(name, format);
    return this;
  }

  /**
   * Returns the features for reads of files of other snapshots, too.
   *
   * @param specIds ids of the partition specs of all files to read
   */
  public StoredFeatures spanningSpecs(List<Integer> specIds) {
    int fewest = new BucketSpecs(name, table, format.axis()).blocks(specIds);
    return new StoredFeatures(name, table, format, fewest, checksums);
  }

  /**
   * Returns the features for comparisons of the files of two snapshots. A numbered axis has the
   * size at the later one, whose rows are checked; those of the earlier one are not.
   */
  public StoredFeatures spanning(@Nullable Snapshot earlier, @Nullable Snapshot later) {
    List<Integer> specIds = new ArrayList<>(specIds(table, earlier));
    specIds.addAll(specIds(table, later));
    StoredFeatures all = spanningSpecs(specIds);
    return NumberedAxis.of(table.properties())
        .map(axis -> format.resized(axis.sizeAt(later)))
        .map(sized -> new StoredFeatures(name, table, sized, all.blocks(), checksums))
        .orElse(all);
  }

  /** Returns the block of a file of the table. */
  public long block(ContentFile<?> file) {
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(file.specId()));
    return new BucketSpecs(name, table, format.axis()).block(spec, file.partition(), blocks);
  }

  /** Returns the ids of the partition specs of a snapshot's files. */
  private static List<Integer> specIds(Table table, @Nullable Snapshot snapshot) {
    return snapshot == null
        ? List.of()
        : snapshot.dataManifests(table.io()).stream()
            .filter(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles())
            .map(ManifestFile::partitionSpecId)
            .distinct()
            .toList();
  }

  /**
   * Returns a serializable copy for tasks, which read and write files by the settings of {@code
   * spark}.
   */
  public StoredFeatures forTasks(SparkSession spark) {
    ChecksumVerification requested =
        SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)
            ? ChecksumVerification.VERIFIED
            : ChecksumVerification.UNVERIFIED;
    return new StoredFeatures(
        name, SerializableTableWithSize.copyOf(table), format.forTasks(), blocks, requested);
  }

  /** Returns the partition of new files whose rows are in a bucket or block of the axis. */
  public PartitionData partition(long part) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    // no commit takes files of a spec of several fields, which others may have set meanwhile
    int position = Math.max(0, BucketSpecs.position(table.spec()));
    if (format.axis() instanceof FeatureAxis.Numbered numbered) {
      partition.set(position, part * numbered.rowsPerBlock());
    } else {
      partition.set(position, (int) part);
    }
    return partition;
  }

  /** Returns the buckets by which rows are assigned to blocks; not for a numbered axis. */
  public KeyBuckets blockBuckets() {
    return new KeyBuckets(((FeatureAxis.Labelled) format.axis()).bucketColumn(), blocks);
  }

  @Override
  public Map<Long, BlockFiles> files(@Nullable Long snapshot) {
    return files(snapshot, Expressions.alwaysTrue());
  }

  @Override
  public Map<Long, BlockFiles> files(@Nullable Long snapshot, Iterable<Long> some) {
    return files(
        snapshot,
        SnapshotColumns.filter(table, snapshot, blockColumn(), column -> spanning(column, some)));
  }

  /** Returns the name of the column by which rows are in blocks. */
  private String blockColumn() {
    return format.axis() instanceof FeatureAxis.Labelled labelled
        ? labelled.bucketColumn().name()
        : format.axis().columns().get(0).name();
  }

  private Map<Long, BlockFiles> files(@Nullable Long snapshot, Expression filter) {
    Map<Long, List<StoredFile>> found = new TreeMap<>();
    if (snapshot != null) {
      if (table.snapshot(snapshot) == null) {
        throw TableErrors.noSuchSnapshot(name, snapshot);
      }
      TableScan scan = table.newScan().useSnapshot(snapshot).filter(filter);
      try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
        tasks.forEach(task -> add(task, found));
      } catch (IOException e) {
        throw CatalogFailures.unchanged("reading", name, new UncheckedIOException(e));
      } catch (RuntimeException e) {
        throw CatalogFailures.unchanged("reading", name, e);
      }
    }
    Map<Long, BlockFiles> files = new TreeMap<>();
    found.forEach((block, inBlock) -> files.put(block, new BlockFiles(block, inBlock)));
    return files;
  }

  private void add(FileScanTask task, Map<Long, List<StoredFile>> found) {
    if (task.file().format() != FileFormat.PARQUET) {
      throw TableErrors.foreignFile(name, task.file().location(), task.file().format().toString());
    }
    found
        .computeIfAbsent(block(task.file()), key -> new ArrayList<>())
        .add(StoredFile.of(name, task.file(), task.deletes()));
  }

  @Override
  public Expression spanning(Iterable<Long> some) {
    return spanning(blockColumn(), some);
  }

  private Expression spanning(String column, Iterable<Long> some) {
    List<Long> list = StreamSupport.stream(some.spliterator(), false).sorted().toList();
    if (list.isEmpty()) {
      return Expressions.alwaysFalse();
    }
    if (format.axis() instanceof FeatureAxis.Numbered numbered) {
      long last = list.get(list.size() - 1);
      return BlockRange.of(column, list.get(0), last, numbered.rowsPerBlock());
    }
    FeatureAxis.Labelled labelled = (FeatureAxis.Labelled) format.axis();
    if (labelled.buckets() != blocks || list.size() > MAX_FILTERED) {
      return Expressions.alwaysTrue();
    }
    Expression buckets =
        Expressions.in(
            Expressions.<Integer>bucket(column, blocks),
            list.stream()
                .filter(block -> block != BucketSpecs.NO_KEYS)
                .map(Long::intValue)
                .toArray(Integer[]::new));
    return list.contains(BucketSpecs.NO_KEYS)
        ? Expressions.or(buckets, Expressions.isNull(column))
        : buckets;
  }
}
