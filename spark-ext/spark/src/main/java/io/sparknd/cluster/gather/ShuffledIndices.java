/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.BatchShuffle;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.rows.IndexColumns;
import io.sparknd.cluster.rows.RowErrors;
import io.sparknd.cluster.spark.MapStage;
import io.sparknd.tensor.Storage;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/** {@link io.sparknd.cluster.Strategy#SHUFFLE_INDICES}. */
final class ShuffledIndices {
  private ShuffledIndices() {}

  /** The map side of the shuffle runs here, and finds all errors; nothing else is kept. */
  static JavaRDD<InternalRow> joined(RowGather gather) {
    SliceJoin join = gather.join();
    return gather
        .tensor()
        .rdd()
        .zipPartitions(
            sent(gather.indexRows(), gather.indices(), join.pieces(), gather.refusals()),
            join::joined);
  }

  /** Index rows where their slices are, once all were looked at. */
  static JavaRDD<UpdateBatch> sent(
      JavaRDD<InternalRow> indexRows, IndexColumns indices, Pieces pieces, RowErrors refusals) {
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent =
        BatchShuffle.shuffle(
            indexRows.mapPartitionsWithIndex(
                (source, rows) ->
                    new IndexRowBinner(source, rows, indices.in(source, refusals), pieces),
                false),
            pieces.partitions(),
            Storage.BYTE,
            BatchShuffle.Order.AS_SENT);
    MapStage.run(sent);
    refusals.throwFirst();
    return sent.map(Tuple2::_2);
  }
}
