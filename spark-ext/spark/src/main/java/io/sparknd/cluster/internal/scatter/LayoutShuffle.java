/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.RowBinner;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** Moves the blocks of a tensor to another layout by a shuffle of all pieces. */
public final class LayoutShuffle {
  private LayoutShuffle() {}

  public static TensorBlocks run(TensorBlocks tensor, Partitioning partitioning) {
    BlockLayout to =
        TensorSource.layout(tensor.spark(), tensor.dtype(), tensor.shape(), partitioning);
    return run(tensor, to);
  }

  public static TensorBlocks run(TensorBlocks tensor, BlockLayout to) {
    TensorBlocks moved = moved(tensor, to);
    VersionLineage.persist(moved.rdd(), 0); // unread: its lineage is not truncated
    return moved;
  }

  /**
   * Returns the tensor in layout {@code to} without caching it, for single use; it is shuffled when
   * it is read.
   */
  public static TensorBlocks moved(TensorBlocks tensor, BlockLayout to) {
    BlockLayout from = tensor.layout();
    long length = Math.min(from.rowElements(), to.rowElements());
    Pieces source = from.pieces(length);
    Pieces target = to.pieces(length);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches =
        BatchShuffle.byReference(
            tensor
                .rdd()
                .mapPartitionsWithIndex(
                    (index, parts) ->
                        new RowBinner(
                            index,
                            new Chunks(TensorPartition.only(parts), from, source),
                            from.dtype().storage(),
                            target),
                    false),
            to.partitions(),
            from.dtype().storage(),
            BatchShuffle.Order.ANY);
    PartitionFold fold =
        new PartitionFold(
            from.dtype(), Scatter.update(), target, tensor.kernel(), null, FoldOptions.NEW_VERSION);
    JavaRDD<TensorPartition> moved =
        TensorSource.filled(tensor.spark(), to, null).rdd().zipPartitions(batches, fold);
    return tensor.derived(to, moved);
  }

  /** The blocks of a partition as updates, one chunk for each block. */
  private static final class Chunks implements Iterator<NumberedRows> {
    private final TensorPartition partition;
    private final BlockLayout layout;
    private final Pieces pieces;
    private int local;

    /**
     * @param pieces the pieces of the blocks
     */
    Chunks(TensorPartition partition, BlockLayout layout, Pieces pieces) {
      this.partition = partition;
      this.layout = layout;
      this.pieces = pieces;
    }

    @Override
    public boolean hasNext() {
      return local < partition.blocks().length;
    }

    @Override
    public NumberedRows next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long first = pieces.global(partition.index(), local * pieces.perBlock());
      int count = layout.unitsIn(partition.index(), local) / pieces.units();
      long[] numbers = new long[count];
      Arrays.setAll(numbers, i -> first + i);
      return new NumberedRows(numbers, count, partition.blocks()[local++]);
    }
  }
}
