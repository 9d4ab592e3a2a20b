/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.io.Serializable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.spark.sql.catalyst.expressions.XXH64;

/** Hashes the rows of a split as {@link RowHash} does those of other tables. */
record PaimonReadTask(ReadBuilder builder, KeyedValues values) implements Serializable {
  RowHash run(Split split) throws Exception {
    try (IOManager io = IOManager.create(System.getProperty("java.io.tmpdir"));
        RecordReader<InternalRow> reader =
            builder.newRead().withIOManager(io).createReader(split)) {
      return hash(reader);
    }
  }

  private RowHash hash(RecordReader<InternalRow> reader) throws IOException {
    long rows = 0;
    long all = 0;
    RecordReader.RecordIterator<InternalRow> batch = reader.readBatch();
    while (batch != null) {
      InternalRow row = batch.next();
      while (row != null) {
        all ^= hash(row);
        rows++;
        row = batch.next();
      }
      batch.releaseBatch();
      batch = reader.readBatch();
    }
    return new RowHash(rows, all);
  }

  private long hash(InternalRow row) {
    long hash = RowHash.hash(row.getString(0).toBytes());
    for (int i = 1; i <= values.width(); i++) {
      hash =
          values == KeyedValues.VECTOR
              ? XXH64.hashInt(Float.floatToIntBits(row.getFloat(i)), hash)
              : XXH64.hashLong(row.getLong(i), hash);
    }
    return hash;
  }
}
