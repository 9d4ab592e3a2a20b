/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import io.sparknd.cluster.spark.SparkNdSetting;
import io.sparknd.table.TableErrors;
import io.sparknd.table.file.PageChecks;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowLevelOperationMode;
import org.apache.iceberg.SortDirection;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;

/**
 * An Iceberg table that holds a tensor.
 *
 * @param name with its catalog, parts quoted as SQL quotes them
 * @param checks of pages that are read
 */
public record StoredTensor(String name, Table table, StoredFormat format, PageChecks checks)
    implements Serializable {
  private static final String MERGE_MODE = org.apache.iceberg.TableProperties.MERGE_MODE;
  private static final int FIRST_WITH_VECTORS = 3;

  /**
   * @throws io.sparknd.tensor.SparkNdException if {@code table} holds no tensor, is encrypted, or
   *     no longer has a tensor's columns or partitions
   */
  public static StoredTensor of(String name, Table table) {
    StoredFormat format = TableProperties.format(name, table.properties());
    if (table.properties().containsKey(org.apache.iceberg.TableProperties.ENCRYPTION_TABLE_KEY)) {
      throw TableErrors.encryptedTable(name);
    }
    format.rows().schema().columns().forEach(column -> requireColumn(name, table, column));
    PartitionSpec wanted = spec(format);
    if (!table.spec().compatibleWith(wanted)) {
      throw TableErrors.wrongPartitioning(name, table.spec().toString(), wanted.toString());
    }
    return new StoredTensor(name, table, format, PageChecks.VERIFIED);
  }

  private static void requireColumn(String name, Table table, Types.NestedField wanted) {
    Types.NestedField found = table.schema().findField(wanted.fieldId());
    if (found == null
        || !found.name().equals(wanted.name())
        || !found.type().toString().equals(wanted.type().toString())) {
      throw TableErrors.wrongTableColumn(
          name,
          wanted.name(),
          found == null ? "not there" : found.name() + " " + found.type(),
          wanted.name() + " " + wanted.type());
    }
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the table has columns beside the tensor's, which
   *     rewriting its rows would lose
   */
  public void requireNoOtherColumns() {
    int own = format.rows().schema().columns().size();
    List<Types.NestedField> all = table.schema().columns();
    if (all.size() > own) {
      Set<Integer> ids = TypeUtil.getProjectedIds(format.rows().schema());
      throw TableErrors.moreTableColumns(
          name,
          all.stream()
              .filter(column -> !ids.contains(column.fieldId()))
              .map(Types.NestedField::name)
              .toList());
    }
  }

  /** The same, for tasks to read and write files of, as the settings of {@code spark} ask. */
  public StoredTensor forTasks(SparkSession spark) {
    PageChecks asked =
        SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)
            ? PageChecks.VERIFIED
            : PageChecks.UNVERIFIED;
    return new StoredTensor(name, SerializableTableWithSize.copyOf(table), format, asked);
  }

  /** The partitioning of a tensor's table: blocks of the first dimension. */
  public static PartitionSpec spec(StoredFormat format) {
    return PartitionSpec.builderFor(format.rows().schema())
        .truncate(format.rows().indexColumns().get(0), (int) format.rowsPerBlock())
        .build();
  }

  /** Of a block's files. */
  public PartitionData partition(long block) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, format.partitionValue(block));
    return partition;
  }

  /**
   * The order of rows in new files, ascending by index: the table's current one if the rows have
   * it, else another of the table's that they have, else none.
   */
  public SortOrder sortOrder() {
    return isByIndex(table.sortOrder())
        ? table.sortOrder()
        : table.sortOrders().values().stream()
            .filter(this::isByIndex)
            .findFirst()
            .orElse(SortOrder.unsorted());
  }

  /** Whether rows ascending by index are in {@code order}; they have no nulls to place. */
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
    return !fields.isEmpty(); // rows differ by index, so that further fields change nothing
  }

  /**
   * Names for new files.
   *
   * @param partition of the task that writes them
   * @param operation makes them those of one commit
   */
  public OutputFileFactory newFiles(
      int partition, long attempt, String operation, FileFormat format) {
    return OutputFileFactory.builderFor(table, partition, attempt)
        .operationId(OwnFiles.operation(table, operation))
        .format(format)
        .build();
  }

  /** Whether rows have ids that rewriting them must keep: since version 3 of the format. */
  public boolean keepsLineage() {
    return TableUtil.supportsRowLineage(table);
  }

  /**
   * Whether blocks that a scatter touches are written as a whole, and no deletion vectors: in
   * tables that ask {@code MERGE INTO} for copy-on-write, too, and in those of an older format.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table asks for something that is not known
   */
  public boolean writesWholeBlocks() {
    String mode = table.properties().get(MERGE_MODE);
    return isCopyOnWrite(mode) || TableUtil.formatVersion(table) < FIRST_WITH_VECTORS;
  }

  private static boolean isCopyOnWrite(String mode) {
    try {
      return mode != null
          && RowLevelOperationMode.fromName(mode) == RowLevelOperationMode.COPY_ON_WRITE;
    } catch (IllegalArgumentException e) {
      throw TableErrors.badTableProperty(MERGE_MODE, mode, "copy-on-write or merge-on-read");
    }
  }

  /**
   * The files of a snapshot by the block that they are of.
   *
   * @param snapshot null: there is none
   */
  public Map<Long, BlockFiles> files(Long snapshot) {
    return files(snapshot, Expressions.alwaysTrue());
  }

  /**
   * @param filter on index columns; files without a row that passes may be left out
   */
  public Map<Long, BlockFiles> files(Long snapshot, Expression filter) {
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
              .includeColumnStats(List.of(format.rows().indexColumns().get(0)));
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
    StructLike partition = task.file().partition();
    if (task.file().format() != FileFormat.PARQUET
        || task.file().specId() != table.spec().specId()) {
      throw TableErrors.foreignFile(name, task.file().location(), task.file().format().toString());
    }
    long block = partition.get(0, Long.class) / format.rowsPerBlock();
    found
        .computeIfAbsent(block, key -> new ArrayList<>())
        .add(StoredFile.of(name, task.file(), task.deletes()));
  }

  /**
   * Asks the catalog how the table is now.
   *
   * @throws io.sparknd.tensor.SparkNdException if it does not say
   */
  public void refresh() {
    try {
      table.refresh();
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("reading", name, e);
    }
  }

  /** Rows of the given blocks, as Iceberg filters them: the range that they span. */
  public Expression spanning(Iterable<Long> blocks) {
    long first = Long.MAX_VALUE;
    long last = -1;
    for (long block : blocks) {
      first = Math.min(first, block);
      last = Math.max(last, block);
    }
    String column = format.rows().indexColumns().get(0);
    return last < 0
        ? Expressions.alwaysFalse()
        : Expressions.and(
            Expressions.greaterThanOrEqual(column, format.partitionValue(first)),
            Expressions.lessThan(column, format.partitionValue(last + 1)));
  }
}
