/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.table.internal.file.ChecksumVerification;
import java.util.Arrays;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** Partitions as Iceberg plans them, with readers of batches if all partitions allow it. */
final class ColumnarScanBatch implements Batch {
  private final Batch iceberg;
  private final ChecksumVerification checks;
  private final int mostRows;
  private InputPartition @Nullable [] partitions;

  ColumnarScanBatch(Batch iceberg, ChecksumVerification checks, int mostRows) {
    this.iceberg = iceberg;
    this.checks = checks;
    this.mostRows = mostRows;
  }

  @Override
  public synchronized InputPartition[] planInputPartitions() {
    InputPartition[] planned = partitions == null ? iceberg.planInputPartitions() : partitions;
    partitions = planned; // each plan broadcasts the table anew
    return planned;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    PartitionReaderFactory readers = iceberg.createReaderFactory();
    InputPartition[] planned = planInputPartitions();
    boolean areReadable =
        planned.length > 0
            && Arrays.stream(planned)
                .allMatch(
                    partition ->
                        !readers.supportColumnarReads(partition)
                            && PlannedFiles.of(partition)
                                .filter(PlannedFiles::areReadable)
                                .isPresent());
    return areReadable ? new ColumnarReaderFactory(readers, checks, mostRows) : readers;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnarScanBatch that && iceberg.equals(that.iceberg);
  }

  @Override
  public int hashCode() {
    return iceberg.hashCode();
  }
}
