/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.TaskFiles;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.IcebergParquet;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.key.KeyBuckets;
import io.sparknd.table.internal.key.KeyColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortDirection;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.data.SparkParquetWriters;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/** Writes rows of a block to new data files, one for each partition, sorted by key. */
record FeatureFileWriter(StoredFeatures table, TaskFiles files) {

  /**
   * Writes rows.
   *
   * @param rows the rows, ascending by key
   * @param columns cells of all columns of the table, by slot
   * @param lineage lineage by slot
   */
  List<DataFile> write(long block, SortedKeys rows, List<Cells> columns, RowLineage lineage) {
    List<DataFile> written = new ArrayList<>();
    partitions(block, rows)
        .forEach((part, some) -> written.add(writePart(part, some, columns, lineage)));
    return written;
  }

  /** Splits the rows of a block of several buckets by bucket. */
  private Map<Long, SortedKeys> partitions(long block, SortedKeys rows) {
    if (!(table.format().axis() instanceof FeatureAxis.Labelled axis)
        || axis.buckets() == table.blocks()) {
      return rows.count() == 0 ? Map.of() : Map.of(block, rows);
    }
    KeyBuckets buckets = new KeyBuckets(axis.bucketColumn(), axis.buckets());
    int column = axis.columns().indexOf(axis.bucketColumn());
    Map<Long, List<Integer>> indices = new TreeMap<>();
    for (int i = 0; i < rows.count(); i++) {
      Object[] key = axis.codec().values(rows.keys(), rows.key(i));
      long bucket = buckets.of(new GenericInternalRow(key), column);
      indices.computeIfAbsent(bucket, absent -> new ArrayList<>()).add(i);
    }
    Map<Long, SortedKeys> parts = new TreeMap<>();
    indices.forEach((bucket, some) -> parts.put(bucket, rows.select(some)));
    return parts;
  }

  private DataFile writePart(long part, SortedKeys rows, List<Cells> columns, RowLineage lineage) {
    PartitionData partition = table.partition(part);
    EncryptedOutputFile file = files.newDataFile(partition);
    Schema schema = lineage.schema(table.table().schema());
    try {
      DataWriter<InternalRow> writer =
          builder(file)
              .schema(schema)
              .withSpec(table.table().spec())
              .withPartition(partition)
              .withSortOrder(sortOrder())
              .createWriterFunc(
                  message ->
                      SparkParquetWriters.buildWriter(SparkSchemaUtil.convert(schema), message))
              .build();
      try (writer) {
        write(writer, schema, rows, columns, lineage);
      }
      return writer.toDataFile();
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unwritableTableFile(file.encryptingOutputFile().location(), e);
    }
  }

  private Parquet.DataWriteBuilder builder(EncryptedOutputFile file) {
    Parquet.DataWriteBuilder builder =
        IcebergParquet.writeData(file.encryptingOutputFile()).forTable(table.table());
    List<KeyColumn> key = table.format().axis().columns();
    String dictionary =
        TableProperties.PARQUET_DICT_ENCODING_ENABLED_COLUMN_PREFIX + key.get(0).name();
    if (key.size() == 1 && !table.table().properties().containsKey(dictionary)) {
      builder.set(dictionary, "false"); // no key is twice in a file
    }
    return builder;
  }

  private void write(
      DataWriter<InternalRow> writer,
      Schema schema,
      SortedKeys rows,
      List<Cells> columns,
      RowLineage lineage) {
    List<Types.NestedField> fields = schema.columns();
    int[] keyColumns = new int[fields.size()];
    int[] cellColumns = new int[fields.size()];
    ordinals(fields, keyColumns, cellColumns);
    Object[] values = new Object[fields.size()];
    InternalRow row = new GenericInternalRow(values);
    for (int i = 0; i < rows.count(); i++) {
      Object[] key = table.format().axis().codec().values(rows.keys(), rows.key(i));
      int slot = rows.slot(i);
      for (int f = 0; f < values.length; f++) {
        values[f] =
            keyColumns[f] >= 0
                ? key[keyColumns[f]]
                : cellColumns[f] >= 0
                    ? columns.get(cellColumns[f]).value(slot)
                    : lineage.value(fields.get(f), slot);
      }
      writer.write(row);
    }
  }

  private void ordinals(List<Types.NestedField> fields, int[] keyColumns, int[] cellColumns) {
    List<Integer> keys = table.format().axis().columns().stream().map(KeyColumn::fieldId).toList();
    List<Integer> cells = table.format().columns().stream().map(FeatureColumn::fieldId).toList();
    for (int f = 0; f < keyColumns.length; f++) {
      keyColumns[f] = keys.indexOf(fields.get(f).fieldId());
      cellColumns[f] = cells.indexOf(fields.get(f).fieldId());
    }
  }

  /** Returns the table's sort order if rows ascending by key satisfy it, else unsorted. */
  private SortOrder sortOrder() {
    SortOrder order = table.table().sortOrder();
    List<KeyColumn> key = table.format().axis().columns();
    boolean isByKey = order.isSorted() && order.fields().size() <= key.size();
    for (int i = 0; isByKey && i < order.fields().size(); i++) {
      isByKey =
          order.fields().get(i).sourceId() == key.get(i).fieldId()
              && order.fields().get(i).transform().isIdentity()
              && order.fields().get(i).direction() == SortDirection.ASC;
    }
    return isByKey ? order : SortOrder.unsorted();
  }
}
