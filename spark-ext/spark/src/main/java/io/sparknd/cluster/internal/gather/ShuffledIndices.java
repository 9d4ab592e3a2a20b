/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.tensor.Storage;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * Runs a gather with {@link io.sparknd.cluster.options.GatherStrategy#SHUFFLE_INDICES}: index rows
 * are shuffled to the partitions that own their slices.
 */
final class ShuffledIndices {
  private ShuffledIndices() {}

  /**
   * Runs the map side of the shuffle, which finds all errors; the join itself is lazy and uncached.
   */
  static JavaRDD<InternalRow> joined(RowGather gather) {
    SliceJoin join = gather.join();
    return gather
        .tensor()
        .rdd()
        .zipPartitions(
            sent(gather.indexRows(), gather.indices(), join.pieces(), gather.rowErrors()),
            join::joined);
  }

  /** Checks all index rows and shuffles them to the partitions that own their slices. */
  static JavaRDD<ShuffleBatch> sent(
      JavaRDD<InternalRow> indexRows, IndexColumns indices, Pieces pieces, RowErrors rowErrors) {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> sent =
        BatchShuffle.byReference(
            indexRows.mapPartitionsWithIndex(
                (source, rows) ->
                    new IndexRowBinner(source, rows, indices.in(source, rowErrors), pieces),
                false),
            pieces.partitions(),
            Storage.BYTE,
            BatchShuffle.Order.AS_SENT);
    MapStage.run(sent);
    rowErrors.throwFirst();
    return sent.map(Tuple2::_2);
  }
}
