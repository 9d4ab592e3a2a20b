/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.Exchange;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.fold.Lineage;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.InTurn;
import io.sparknd.cluster.rows.IndexColumns;
import io.sparknd.cluster.rows.RowIndices;
import io.sparknd.cluster.rows.UpdateChunk;
import io.sparknd.cluster.spark.SliceAppender;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * {@link io.sparknd.cluster.Strategy#SHUFFLE_SLICES}: answers come back to the partition that
 * asked, window by window, and join the rows there.
 */
final class ShuffledSlices {
  /** Slots that a partition can ask for. */
  private static final long MOST_ROWS = 1L << 32;

  private static final int WINDOW_BYTES = 4 << 20;
  private static final int MOST_WINDOW_ROWS = 8192;

  private ShuffledSlices() {}

  static JavaRDD<InternalRow> joined(RowGather gather) {
    JavaRDD<InternalRow> rows = kept(gather);
    check(gather, rows);
    SliceJoin join = gather.join();
    int windowRows = windowRows(join);
    return rows.zipPartitions(
        answers(gather, rows, windowRows),
        (left, right) -> new Join(left, right, join, windowRows));
  }

  /**
   * The rows are read twice, to ask and to join, and must be the same both times; a shuffle before
   * them would not promise that.
   */
  private static JavaRDD<InternalRow> kept(RowGather gather) {
    JavaRDD<InternalRow> kept = gather.indexRows().map(InternalRow::copy);
    Lineage.cut(kept);
    return kept;
  }

  private static void check(RowGather gather, JavaRDD<InternalRow> rows) {
    try {
      gather.check(rows, gather.indices());
    } catch (RuntimeException e) {
      rows.unpersist(false);
      throw e;
    }
  }

  private static JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers(
      RowGather gather, JavaRDD<InternalRow> rows, int windowRows) {
    IndexColumns indices = gather.indices();
    Pieces source = gather.join().pieces();
    Pieces result =
        new Pieces(
            new InTurn(rows.getNumPartitions(), source.perSlice() * MOST_ROWS),
            source.perSlice(),
            source.units());
    TensorGather exchange =
        new TensorGather(
            gather.join().dtype(),
            source,
            result,
            source.perSlice() * windowRows,
            Exchange.Order.AS_SENT,
            gather.tensor().kernel());
    JavaRDD<UpdateChunk> slots =
        rows.mapPartitionsWithIndex(
            (partition, it) -> new Slots(indices.in(partition, null), it), false);
    return exchange.answers(gather.tensor().rdd(), slots, partition -> partition * MOST_ROWS);
  }

  private static int windowRows(SliceJoin join) {
    long bytes = Math.max(1, join.slice().elements() * BlockLayout.elementBytes(join.dtype()));
    return (int) Math.max(1, Math.min(MOST_WINDOW_ROWS, WINDOW_BYTES / bytes));
  }

  /** Rows as slots: offsets without payload. */
  private static final class Slots implements Iterator<UpdateChunk> {
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
    public UpdateChunk next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long[] offsets = new long[CHUNK];
      int count = 0;
      while (count < CHUNK && rows.hasNext()) {
        offsets[count++] = indices.offset(rows.next());
      }
      return new UpdateChunk(offsets, count, null);
    }
  }

  /** Rows with the slices that answer them. */
  private static final class Join implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final Iterator<Tuple2<BatchKey, UpdateBatch>> answers;
    private final SliceAppender appender;
    private final Pieces pieces;
    private final int windowRows;
    private final Object fill;
    private final Object window;
    private final int windowUnits;
    private UpdateBatch answer;
    private long row;

    Join(
        Iterator<InternalRow> rows,
        Iterator<Tuple2<BatchKey, UpdateBatch>> answers,
        SliceJoin join,
        int windowRows) {
      this.rows = rows;
      this.answers = answers;
      this.appender = join.appender();
      this.pieces = join.pieces();
      this.windowRows = windowRows;
      this.fill = join.filled(windowRows);
      Storage storage = join.dtype().storage();
      this.windowUnits = storage.length(fill);
      this.window = storage.allocate(windowUnits);
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
      if (row % windowRows == 0) {
        fillWindow();
      }
      int unit = (int) (row % windowRows * pieces.perSlice()) * pieces.units();
      row++;
      return appender.append(rows.next(), window, unit);
    }

    private void fillWindow() {
      System.arraycopy(fill, 0, window, 0, windowUnits);
      long first = row * pieces.perSlice();
      long end = first + windowRows * pieces.perSlice();
      while (nextAnswer() && answer.offsets()[0] < end) {
        for (int i = 0; i < answer.count(); i++) {
          int from = answer.rows()[i] * pieces.units();
          int to = (int) (answer.offsets()[i] - first) * pieces.units();
          System.arraycopy(answer.payload(), from, window, to, pieces.units());
        }
        answer = null;
      }
    }

    private boolean nextAnswer() {
      if (answer == null && answers.hasNext()) {
        answer = answers.next()._2();
      }
      return answer != null;
    }
  }
}
