/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.SliceAppender;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@link Strategy#BROADCAST_TENSOR}. */
final class BroadcastTensor {
  private BroadcastTensor() {}

  static JavaRDD<InternalRow> joined(RowGather gather) {
    check(gather);
    Broadcast<TensorPartition[]> tensor = gather.context().broadcast(collected(gather));
    IndexColumns indices = gather.indices();
    SliceJoin join = gather.join();
    return gather
        .indexRows()
        .mapPartitionsWithIndex(
            (source, rows) -> new Join(rows, indices.in(source, null), join, tensor.value()),
            false);
  }

  private static TensorPartition[] collected(RowGather gather) {
    long bytes = gather.tensor().layout().bytes();
    if (bytes > gather.mostResultBytes()) {
      throw NdErrors.tooLargeToBroadcast(
          gather.tensor() + ", " + bytes + " bytes", gather.mostResultBytes());
    }
    return gather.tensor().rdd().collect().toArray(TensorPartition[]::new);
  }

  /** Reads the indices alone where that is cheap; else what comes after the last shuffle. */
  private static void check(RowGather gather) {
    Dataset<Row> rows = gather.rows();
    List<String> names = List.of(rows.columns());
    boolean alone =
        InternalRows.isNarrow(rows) && names.stream().distinct().count() == names.size();
    IndexColumns indices = alone ? gather.indices().alone() : gather.indices();
    JavaRDD<InternalRow> read =
        alone ? InternalRows.of(rows.select(columns(gather))) : gather.indexRows();
    gather.check(read, indices);
  }

  private static Column[] columns(RowGather gather) {
    String[] names = gather.rows().columns();
    return gather.indices().ordinals().stream()
        .map(ordinal -> RowColumns.named(gather.rows(), names[ordinal]))
        .toArray(Column[]::new);
  }

  /** Rows of one partition, in their order, each with its slice. */
  private static final class Join implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final RowIndices indices;
    private final Pieces pieces;
    private final TensorPartition[] tensor;
    private final SliceAppender appender;
    private final Object fill;
    private final Object slice;

    Join(Iterator<InternalRow> rows, RowIndices indices, SliceJoin join, TensorPartition[] tensor) {
      this.rows = rows;
      this.indices = indices;
      this.pieces = join.pieces();
      this.tensor = tensor;
      this.appender = join.appender();
      this.fill = join.filled(1);
      Storage storage = join.dtype().storage();
      this.slice = pieces.perSlice() == 1 ? null : storage.allocate(storage.length(fill));
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      InternalRow row = rows.next();
      long offset = indices.offset(row);
      if (offset < 0 && indices.refused()) {
        throw NdErrors.indexRowsChanged();
      }
      if (offset < 0 || pieces.units() == 0) {
        return appender.append(row, fill, 0);
      }
      if (slice != null) {
        copySlice(offset);
        return appender.append(row, slice, 0);
      }
      return appender.append(row, block(offset), unit(offset));
    }

    private void copySlice(long offset) {
      for (int i = 0; i < pieces.perSlice(); i++) {
        long piece = offset * pieces.perSlice() + i;
        System.arraycopy(block(piece), unit(piece), slice, i * pieces.units(), pieces.units());
      }
    }

    private Object block(long piece) {
      return tensor[pieces.owner(piece)].blocks()[(int) (pieces.local(piece) / pieces.perBlock())];
    }

    private int unit(long piece) {
      return (int) (pieces.local(piece) % pieces.perBlock()) * pieces.units();
    }
  }
}
