/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;

/** Puts the bucket of its key before each row. */
record PaimonBuckets(FileStoreTable table, KeyedValues values) implements Serializable {

  /** Returns the rows of a partition; each is valid only until the next is read. */
  Iterator<InternalRow> assign(Iterator<InternalRow> rows) {
    RowKeyExtractor extractor = table.createRowKeyExtractor();
    PaimonUpdate update = new PaimonUpdate(values, 0);
    JoinedRow joined = new JoinedRow();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public InternalRow next() {
        InternalRow row = rows.next();
        extractor.setRecord(update.of(row));
        return joined.apply(InternalRows.row(extractor.bucket()), row);
      }
    };
  }
}
