/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowIndices;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.version.VersionLineage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Runs a gather with {@link io.sparknd.cluster.options.GatherStrategy#SHUFFLE_SLICES}: slices are
 * sent to the requesting partition, window by window, and joined with the rows there.
 */
final class ShuffledSlices {
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int MAX_WINDOW_ROWS = 8192;

  private ShuffledSlices() {}

  static JavaRDD<InternalRow> joined(RowGather gather) {
    JavaRDD<InternalRow> rows = persisted(gather);
    check(gather, rows);
    IndexColumns indices = gather.indices();
    SliceJoin join = gather.join();
    RequestedSlices requested =
        RequestedSlices.of(gather.tensor(), join.slice(), WINDOW_BYTES, MAX_WINDOW_ROWS);
    int windowRows = requested.windowSlots();
    return requested.joined(
        gather.tensor(),
        rows,
        (partition, it) -> new Slots(indices.in(partition, null), it),
        (it, responses) -> new Join(it, responses, join, windowRows));
  }

  /**
   * Returns a persisted copy of the rows. They are read twice, to request and to join, and must be
   * the same both times; rows that come from a shuffle are not guaranteed to be.
   */
  private static JavaRDD<InternalRow> persisted(RowGather gather) {
    JavaRDD<InternalRow> persisted = gather.indexRows().map(InternalRow::copy);
    VersionLineage.truncate(persisted);
    return persisted;
  }

  private static void check(RowGather gather, JavaRDD<InternalRow> rows) {
    try {
      gather.check(rows, gather.indices());
    } catch (Exception e) { // Spark throws undeclared checked ones
      InterruptedCleanup.run(() -> rows.unpersist(false));
      throw e;
    }
  }

  /** Converts rows to slots: offsets without payload. */
  private static final class Slots implements Iterator<NumberedRows> {
    private static final int CHUNK = 4096;

    private final RowIndices indices;
    private final Iterator<InternalRow> rows;

    Slots(RowIndices indices, Iterator<InternalRow> rows) {
      this.indices = indices;
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public NumberedRows next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long[] offsets = new long[CHUNK];
      int count = 0;
      while (count < CHUNK && rows.hasNext()) {
        offsets[count++] = indices.offset(rows.next());
      }
      return new NumberedRows(offsets, count);
    }
  }

  /** Joins rows with the requested slices. */
  private static final class Join implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final ResponseWindow responses;
    private final SliceAppender appender;
    private final Object fill;
    private final int windowRows;
    private long row;

    Join(Iterator<InternalRow> rows, ResponseWindow responses, SliceJoin join, int windowRows) {
      this.rows = rows;
      this.responses = responses;
      this.appender = join.appender();
      this.fill = join.filled(windowRows);
      this.windowRows = windowRows;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int slot = (int) (row++ % windowRows);
      if (slot == 0) {
        responses.next(fill);
      }
      return appender.append(rows.next(), responses.slices(), responses.unit(slot));
    }
  }
}
