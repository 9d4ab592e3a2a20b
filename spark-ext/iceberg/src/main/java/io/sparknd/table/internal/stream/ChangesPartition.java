/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.internal.keyed.BlockPair;
import io.sparknd.table.internal.keyed.FeatureChangesTask;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** Blocks that one task compares. */
record ChangesPartition(FeatureChangesTask task, List<BlockPair> blocks) implements InputPartition {

  /** Reads partitions. */
  record Factory() implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      ChangesPartition own = (ChangesPartition) partition;
      return new Reader(own.task().run(own.blocks().iterator()));
    }
  }

  /** Reads the changed rows of blocks. */
  private static final class Reader implements PartitionReader<InternalRow> {
    private final Iterator<InternalRow> rows;
    private @Nullable InternalRow row;

    Reader(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() {
      row = rows.hasNext() ? rows.next() : null;
      return row != null;
    }

    @Override
    public InternalRow get() {
      if (row == null) {
        throw new IllegalStateException("no row");
      }
      return row;
    }

    @Override
    public void close() {
      // files are closed block by block
    }
  }
}
