/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.table.internal.file.ChecksumVerification;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Opens partitions in batches. A partition of which a file has another structure than lists and
 * values with field ids is read by Iceberg, row by row.
 *
 * @param iceberg Iceberg's own readers
 * @param mostRows the most rows of a batch
 */
record ColumnarReaderFactory(
    PartitionReaderFactory iceberg, ChecksumVerification checks, int mostRows)
    implements PartitionReaderFactory {

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return iceberg.createReader(partition);
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    PlannedFiles planned = PlannedFiles.of(partition).orElseThrow();
    return PartitionBatches.of(planned, checks, mostRows)
        .orElseGet(
            () ->
                new CopiedRows(
                    iceberg.createReader(partition),
                    SparkSchemaUtil.convert(planned.projection()),
                    mostRows));
  }
}
