/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.ChecksumVerification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortDirection;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * An Iceberg table that holds a tensor.
 *
 * @param name the full name with its catalog, quoted as in SQL
 * @param checksums whether page checksums are verified in reads
 */
public record StoredTensor(
    String name, Table table, StoredFormat format, ChecksumVerification checksums)
    implements StoredTable {
  /** The block of rows whose first index is NULL, which is no index, or -1. */
  private static final long NO_INDICES = -1;

  /**
   * Returns the tensor that {@code table} holds, in its current state.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code table} holds no tensor, is encrypted, or
   *     no longer has the tensor's columns, or never had its partitions
   */
  public static StoredTensor of(String name, Table table) {
    return of(name, table, TableProperties.format(name, table.properties()));
  }

  /**
   * Returns the tensor that {@code table} holds by a format, which its properties need not say.
   * Others may have changed the partition spec of new files: those that exist keep theirs.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code table} is encrypted, does not have the
   *     tensor's columns, or never had its partitions
   */
  public static StoredTensor of(String name, Table table, StoredFormat format) {
    if (table.properties().containsKey(org.apache.iceberg.TableProperties.ENCRYPTION_TABLE_KEY)) {
      throw TableErrors.encryptedTable(name);
    }
    format.rows().schema().columns().forEach(column -> requireColumn(name, table, column));
    PartitionSpec wanted = spec(format);
    if (table.specs().values().stream().noneMatch(spec -> spec.compatibleWith(wanted))) {
      throw TableErrors.wrongPartitioning(name, table.spec().toString(), wanted.toString());
    }
    return new StoredTensor(name, table, format, ChecksumVerification.VERIFIED);
  }

  /**
   * Checks that new files have the tensor's partitions.
   *
   * @return this
   * @throws io.sparknd.tensor.SparkNdException if others changed them
   */
  public StoredTensor requirePartitions() {
    if (hasOtherSpec()) {
      throw blockField().changed(name, table);
    }
    return this;
  }

  private BlockField blockField() {
    int column = format.rows().schema().findField(indexColumn()).fieldId();
    return new BlockField("truncate", format.rowsPerBlock(), column);
  }

  /**
   * Returns the tensor that {@code table} holds at a snapshot, whose first dimension may be larger
   * than now.
   *
   * @param snapshot null if there is none
   * @throws io.sparknd.tensor.SparkNdException as {@link #of(String, Table)}
   */
  public static StoredTensor of(String name, Table table, @Nullable Snapshot snapshot) {
    StoredTensor now = of(name, table);
    return NumberedAxis.of(table.properties())
        .map(axis -> now.format().resized(axis.sizeAt(snapshot)))
        .map(format -> new StoredTensor(name, table, format, now.checksums()))
        .orElse(now);
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(format.rows().shape().dim(0));
  }

  private static void requireColumn(String name, Table table, Types.NestedField wanted) {
    Types.NestedField found = table.schema().findField(wanted.fieldId());
    if (found == null || !isSame(found, wanted)) {
      throw TableErrors.wrongTableColumn(
          name,
          wanted.name(),
          found == null ? "not there" : found.name() + " " + found.type(),
          wanted.name() + " " + wanted.type());
    }
  }

  private static boolean isSame(Types.NestedField found, Types.NestedField wanted) {
    return found.name().equals(wanted.name())
        && found.type().toString().equals(wanted.type().toString());
  }

  /** Columns that others added may differ: files are written with those that the table has. */
  @Override
  public boolean hasOtherColumns() {
    for (Types.NestedField wanted : format.rows().schema().columns()) {
      Types.NestedField found = table.schema().findField(wanted.fieldId());
      if (found == null || !isSame(found, wanted)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean hasOtherSpec() {
    return !table.spec().compatibleWith(spec(format));
  }

  @Override
  public boolean hasOtherPartitions(@Nullable Snapshot head) {
    return hasOtherSpec();
  }

  /**
   * Returns whether columns and what is in them have the ids that they would have in a new table;
   * elements of arrays have others if the table was made with a column that others dropped.
   */
  public boolean hasIdsOfNewTable() {
    return TypeUtil.indexNameById(format.rows().schema().asStruct()).entrySet().stream()
        .allMatch(id -> id.getValue().equals(table.schema().findColumnName(id.getKey())));
  }

  /** Returns the columns that others added beside the tensor's. */
  public Schema additionalColumns() {
    Set<Integer> own =
        format.rows().schema().columns().stream()
            .map(Types.NestedField::fieldId)
            .collect(Collectors.toSet());
    return new Schema(
        table.schema().columns().stream()
            .filter(column -> !own.contains(column.fieldId()))
            .toList());
  }

  /**
   * Checks that new rows can be written: columns that others added may be NULL, or have a default.
   *
   * @throws io.sparknd.tensor.SparkNdException if one does not
   */
  public void requireDefaults() {
    List<String> without =
        additionalColumns().columns().stream()
            .filter(column -> column.isRequired() && column.writeDefault() == null)
            .map(Types.NestedField::name)
            .toList();
    if (!without.isEmpty()) {
      throw TableErrors.requiredTableColumns(name, without);
    }
  }

  /**
   * Returns a serializable copy for tasks, which read and write files by the settings of {@code
   * spark}.
   */
  public StoredTensor forTasks(SparkSession spark) {
    ChecksumVerification requested =
        SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)
            ? ChecksumVerification.VERIFIED
            : ChecksumVerification.UNVERIFIED;
    return new StoredTensor(name, SerializableTableWithSize.copyOf(table), format, requested);
  }

  /** Returns the partitioning of a tensor table: blocks of the first dimension. */
  public static PartitionSpec spec(StoredFormat format) {
    Schema schema = format.rows().schema();
    String column = format.rows().indexColumns().get(0);
    String name = PartitionNames.free(schema, column + "_trunc");
    return PartitionSpec.builderFor(schema)
        .truncate(column, (int) format.rowsPerBlock(), name)
        .build();
  }

  /** Returns the partition of a block's files. */
  public PartitionData partition(long block) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, format.partitionValue(block));
    return partition;
  }

  /**
   * Returns the sort order of new files, whose rows ascend by index: the table's current order if
   * the rows satisfy it, else another of the table's orders that they satisfy, else unsorted.
   */
  public SortOrder sortOrder() {
    return isByIndex(table.sortOrder())
        ? table.sortOrder()
        : table.sortOrders().values().stream()
            .filter(this::isByIndex)
            .findFirst()
            .orElse(SortOrder.unsorted());
  }

  /** Returns whether rows ascending by index satisfy {@code order}; they contain no nulls. */
  private boolean isByIndex(SortOrder order) {
    List<Types.NestedField> columns = format.rows().schema().columns();
    List<SortField> fields = order.fields();
    int depth = format.rows().indexColumns().size();
    for (int i = 0; i < Math.min(depth, fields.size()); i++) {
      SortField field = fields.get(i);
      if (field.sourceId() != columns.get(i).fieldId()
          || field.direction() != SortDirection.ASC
          || !field.transform().isIdentity()) {
        return false;
      }
    }
    return !fields.isEmpty(); // indices are unique, so further fields have no effect
  }

  @Override
  public Map<Long, BlockFiles> files(@Nullable Long snapshot) {
    return files(snapshot, Expressions.alwaysTrue());
  }

  @Override
  public Map<Long, BlockFiles> files(@Nullable Long snapshot, Iterable<Long> blocks) {
    return files(
        snapshot,
        SnapshotColumns.filter(table, snapshot, indexColumn(), column -> spanning(column, blocks)));
  }

  private String indexColumn() {
    return format.rows().indexColumns().get(0);
  }

  private Map<Long, BlockFiles> files(@Nullable Long snapshot, Expression filter) {
    Map<Long, List<StoredFile>> found = new TreeMap<>();
    if (snapshot != null) {
      if (table.snapshot(snapshot) == null) {
        throw TableErrors.noSuchSnapshot(name, snapshot);
      }
      TableScan scan =
          table
              .newScan()
              .useSnapshot(snapshot)
              .filter(filter)
              .includeColumnStats(
                  new SnapshotColumns(table, snapshot).name(indexColumn()).stream().toList());
      try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
        tasks.forEach(task -> add(task, found));
      } catch (IOException e) {
        throw CatalogFailures.unchanged("reading", name, new UncheckedIOException(e));
      } catch (RuntimeException e) {
        throw CatalogFailures.unchanged("reading", name, e);
      }
    }
    Map<Long, BlockFiles> blocks = new TreeMap<>();
    found.forEach((block, files) -> blocks.put(block, new BlockFiles(block, files)));
    return blocks;
  }

  private void add(FileScanTask task, Map<Long, List<StoredFile>> found) {
    if (task.file().format() != FileFormat.PARQUET) {
      throw TableErrors.foreignFile(name, task.file().location(), task.file().format().toString());
    }
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(task.file().specId()));
    int position = blockField().position(spec);
    if (position < 0) {
      throw TableErrors.wrongPartitioning(name, spec.toString(), spec(format).toString());
    }
    // an Integer in snapshots from before the column was promoted
    Number from = task.file().partition().get(position, Number.class);
    long block = from == null ? NO_INDICES : from.longValue() / format.rowsPerBlock();
    found
        .computeIfAbsent(block, key -> new ArrayList<>())
        .add(StoredFile.of(name, task.file(), task.deletes()));
  }

  /** Returns a filter for the range that the blocks span. */
  @Override
  public Expression spanning(Iterable<Long> blocks) {
    return spanning(indexColumn(), blocks);
  }

  private Expression spanning(String column, Iterable<Long> blocks) {
    long first = Long.MAX_VALUE;
    long last = -1;
    for (long block : blocks) {
      first = Math.min(first, block);
      last = Math.max(last, block);
    }
    return last < 0
        ? Expressions.alwaysFalse()
        : BlockRange.of(column, first, last, format.rowsPerBlock());
  }
}
