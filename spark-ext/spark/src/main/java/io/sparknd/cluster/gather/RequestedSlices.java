/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchShuffle;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.CyclicBlockPartitioner;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.rows.UpdateChunk;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;

/**
 * Slices that tasks ask for and that come back to them. A task goes through its rows twice, with
 * the same outcome: to ask, for a slice a slot, and, as the answers come in windows of slots, to
 * join.
 *
 * @param pieces of slices in the tensor's blocks
 * @param windowSlots slots whose slices a task holds at a time
 */
public record RequestedSlices(DType dtype, Pieces pieces, int windowSlots) implements Serializable {
  /** Slots that a partition can ask for. */
  private static final long MOST_SLOTS = 1L << 32;

  /** What a task asks for: offsets of slices without payload, dropped where a slot has none. */
  public interface Asker<T> extends Serializable {
    Iterator<UpdateChunk> ask(int partition, Iterator<T> rows);
  }

  /** What a task makes of its rows and the answers. */
  public interface Joiner<T, R> extends Serializable {
    Iterator<R> join(Iterator<T> rows, ResponseWindow answers);
  }

  /** Who has the slices. */
  public interface Owners {
    /**
     * @param slots what is asked for
     * @return slices, each with its place: the number of its slot, counted from {@link #firstPlace}
     *     of the partition that asked, times the pieces of a slice. Places of one partition ascend.
     */
    JavaRDD<UpdateChunk> answers(JavaRDD<UpdateChunk> slots);
  }

  /**
   * Windows of at most {@code windowBytes} and {@code mostSlots}, but one slot at least.
   *
   * @param slice shape of a slice of {@code tensor}
   */
  public static RequestedSlices of(
      TensorBlocks tensor, Shape slice, int windowBytes, int mostSlots) {
    Pieces pieces = tensor.layout().pieces(slice.elements());
    return of(tensor.dtype(), pieces, windowBytes, mostSlots);
  }

  /**
   * The same, of slices that are in no tensor.
   *
   * @param pieces of a slice; how they are dealt out does not count
   */
  public static RequestedSlices of(DType dtype, Pieces pieces, int windowBytes, int mostSlots) {
    long elements = pieces.perSlice() * pieces.units() / dtype.units();
    long bytes = Math.max(1, elements * BlockLayout.elementBytes(dtype));
    int slots = (int) Math.max(1, Math.min(mostSlots, windowBytes / bytes));
    return new RequestedSlices(dtype, pieces, slots);
  }

  /** The place of the first slot of a partition that asks. */
  public static long firstPlace(int partition) {
    return partition * MOST_SLOTS;
  }

  /**
   * The rows, joined with slices of a tensor in their partitions and order.
   *
   * @param rows the same each time that they are read
   */
  public <T, R> JavaRDD<R> joined(
      TensorBlocks tensor, JavaRDD<T> rows, Asker<T> asker, Joiner<T, R> joiner) {
    TensorGather gather = gather(rows.getNumPartitions(), tensor.kernel());
    return joined(
        slots -> gather.answers(tensor.rdd(), slots, RequestedSlices::firstPlace),
        rows,
        asker,
        joiner);
  }

  /**
   * The rows, joined with what {@code owners} have.
   *
   * @param rows the same each time that they are read
   */
  public <T, R> JavaRDD<R> joined(
      Owners owners, JavaRDD<T> rows, Asker<T> asker, Joiner<T, R> joiner) {
    JavaRDD<UpdateChunk> answers = owners.answers(rows.mapPartitionsWithIndex(asker::ask, false));
    RequestedSlices asked = this;
    return rows.zipPartitions(
        gather(rows.getNumPartitions(), null).carriedBack(answers),
        (left, right) -> joiner.join(left, new ResponseWindow(right, asked)));
  }

  private TensorGather gather(int askers, String kernel) {
    CyclicBlockPartitioner byAsker =
        new CyclicBlockPartitioner(askers, pieces.perSlice() * MOST_SLOTS);
    return new TensorGather(
        dtype,
        pieces,
        new Pieces(byAsker, pieces.perSlice(), pieces.units()),
        pieces.perSlice() * windowSlots,
        BatchShuffle.Order.AS_SENT,
        kernel);
  }
}
