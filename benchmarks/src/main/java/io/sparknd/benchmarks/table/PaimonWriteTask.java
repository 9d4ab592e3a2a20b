/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.table.PaimonStore.Compaction;
import java.io.Serializable;
import java.util.BitSet;
import java.util.Iterator;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the rows of some buckets, which arrive with their bucket before the key. */
record PaimonWriteTask(BatchWriteBuilder builder, KeyedValues values, Compaction compaction)
    implements Serializable {

  Iterator<CommitMessage> run(Iterator<InternalRow> rows) throws Exception {
    try (IOManager io = IOManager.create(System.getProperty("java.io.tmpdir"));
        BatchTableWrite write = builder.newWrite().withIOManager(io)) {
      PaimonUpdate update = new PaimonUpdate(values, 1);
      BitSet buckets = new BitSet();
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        buckets.set(row.getInt(0));
        write.write(update.of(row), row.getInt(0));
      }
      if (compaction == Compaction.FULL) {
        for (int bucket : buckets.stream().toArray()) {
          write.compact(BinaryRow.EMPTY_ROW, bucket, true);
        }
      }
      return write.prepareCommit().iterator();
    }
  }
}
