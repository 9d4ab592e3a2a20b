/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.PieceLookup;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowIndices;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Runs a gather with {@link io.sparknd.cluster.options.GatherStrategy#BROADCAST_TENSOR}: the whole
 * tensor is broadcast to every executor.
 */
final class BroadcastTensor {
  private BroadcastTensor() {}

  static JavaRDD<InternalRow> joined(RowGather gather) {
    check(gather);
    IndexColumns indices = gather.indices();
    SliceJoin join = gather.join();
    Broadcast<TensorPartition[]> tensor = gather.context().broadcast(collected(gather));
    return gather
        .indexRows()
        .mapPartitionsWithIndex(
            (source, rows) -> new Join(rows, indices.in(source, null), join, tensor.value()),
            false);
  }

  private static TensorPartition[] collected(RowGather gather) {
    long bytes = gather.tensor().layout().bytes();
    long most = gather.maxResultBytes();
    if (bytes > most) {
      throw ClusterErrors.tooLargeToBroadcast(gather.tensor() + ", " + bytes + " bytes,", most);
    }
    return gather
        .collected(gather.tensor().rdd(), gather.tensor().toString())
        .toArray(TensorPartition[]::new);
  }

  private static void check(RowGather gather) {
    boolean alone = isCheaperAlone(gather.rows(), gather.indices());
    gather.check(
        alone ? InternalRows.of(gather.rows().select(columns(gather))) : gather.indexRows(),
        alone ? gather.indices().alone() : gather.indices());
  }

  /**
   * Returns whether a query of the index columns alone is cheaper to check than whole rows. It is
   * not if it would repeat a shuffle, or save less than planning another query costs.
   */
  private static boolean isCheaperAlone(Dataset<Row> rows, IndexColumns indices) {
    List<String> names = List.of(rows.columns());
    int indexBytes = indices.types().stream().mapToInt(DataType::defaultSize).sum();
    return 2 * indexBytes < rows.schema().defaultSize()
        && names.stream().distinct().count() == names.size()
        && InternalRows.isNarrow(rows);
  }

  private static Column[] columns(RowGather gather) {
    String[] names = gather.rows().columns();
    return gather.indices().ordinals().stream()
        .map(ordinal -> SqlNames.column(names[ordinal]))
        .toArray(Column[]::new);
  }

  /** Joins the rows of one partition, in their order, with their slices. */
  private static final class Join implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final RowIndices indices;
    private final Pieces pieces;
    private final PieceLookup[] tensor;
    private final SliceAppender appender;
    private final Object fill;
    private final @Nullable Object slice;

    Join(Iterator<InternalRow> rows, RowIndices indices, SliceJoin join, TensorPartition[] tensor) {
      this.rows = rows;
      this.indices = indices;
      this.pieces = join.pieces();
      this.tensor =
          Arrays.stream(tensor)
              .map(partition -> new PieceLookup(partition, pieces))
              .toArray(PieceLookup[]::new);
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
      if (offset < 0 && indices.failed()) {
        throw ClusterErrors.indexRowsChanged();
      }
      if (offset < 0 || pieces.units() == 0) {
        return appender.append(row, fill, 0);
      }
      if (slice != null) {
        copySlice(offset, slice);
        return appender.append(row, slice, 0);
      }
      PieceLookup owner = tensor[pieces.owner(offset)];
      long local = pieces.local(offset);
      return appender.append(row, owner.array(local), owner.unit(local));
    }

    private void copySlice(long offset, Object slice) {
      for (int i = 0; i < pieces.perSlice(); i++) {
        long piece = offset * pieces.perSlice() + i;
        PieceLookup owner = tensor[pieces.owner(piece)];
        long local = pieces.local(piece);
        int to = i * pieces.units();
        System.arraycopy(owner.array(local), owner.unit(local), slice, to, pieces.units());
      }
    }
  }
}
