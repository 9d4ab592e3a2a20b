/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.file.RowFileWriter;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.StoredTensor;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFile;

/** Writes the data files of blocks of a tensor. */
record BlockFileWriter(StoredTensor tensor, TaskFiles files) {

  /**
   * Writes rows of one block to a new data file.
   *
   * @param rows offsets, ascending
   * @param lineage lineage by slot
   * @param additional values of columns of others, by slot
   */
  DataFile write(
      long block,
      SortedRows rows,
      Object payload,
      RowLineage lineage,
      AdditionalColumns additional) {
    return additional.areNone() && tensor.hasIdsOfNewTable()
        ? write(block, rows, payload, lineage)
        : new WideFileWriter(tensor, files).write(block, rows, payload, lineage, additional);
  }

  private DataFile write(long block, SortedRows rows, Object payload, RowLineage lineage) {
    Table table = tensor.table();
    PartitionData partition = tensor.partition(block);
    OutputFile file = files.newDataFile(partition).encryptingOutputFile();
    RowFormat format = tensor.format().rows();
    RowFileWriter writer =
        lineage.isInherited()
            ? RowFileWriter.create(file, format, table.properties())
            : RowFileWriter.withLineage(file, format, table.properties());
    try (writer) {
      writer.append(rows.rows(), rows.slots(), rows.count(), payload, lineage);
    }
    return DataFiles.builder(table.spec())
        .withPath(file.location())
        .withFormat(FileFormat.PARQUET)
        .withPartition(partition)
        .withFileSizeInBytes(writer.length())
        .withMetrics(writer.metrics(MetricsConfig.forTable(table)))
        .withSplitOffsets(writer.splitOffsets())
        .withSortOrder(tensor.sortOrder())
        .build();
  }
}
