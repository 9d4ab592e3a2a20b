/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.Exchange;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.InTurn;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.rows.UpdateChunk;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * Slices that tasks ask for and that come back to them. A task goes through its rows twice, with
 * the same outcome: to ask, for a slice a slot, and, as the answers come in windows of slots, to
 * join.
 *
 * @param pieces of slices in the tensor's blocks
 * @param windowSlots slots whose slices a task holds at a time
 */
public record AskedSlices(DType dtype, Pieces pieces, int windowSlots) implements Serializable {
  /** Slots that a partition can ask for. */
  private static final long MOST_SLOTS = 1L << 32;

  /** What a task asks for: offsets of slices without payload, dropped where a slot has none. */
  public interface Asker<T> extends Serializable {
    Iterator<UpdateChunk> ask(int partition, Iterator<T> rows);
  }

  /** What a task makes of its rows and the answers. */
  public interface Joiner<T, R> extends Serializable {
    Iterator<R> join(Iterator<T> rows, AnswerWindow answers);
  }

  /**
   * Windows of at most {@code windowBytes} and {@code mostSlots}, but one slot at least.
   *
   * @param slice shape of a slice of {@code tensor}
   */
  public static AskedSlices of(TensorBlocks tensor, Shape slice, int windowBytes, int mostSlots) {
    DType dtype = tensor.dtype();
    long bytes = Math.max(1, slice.elements() * BlockLayout.elementBytes(dtype));
    int slots = (int) Math.max(1, Math.min(mostSlots, windowBytes / bytes));
    return new AskedSlices(dtype, tensor.layout().pieces(slice.elements()), slots);
  }

  /**
   * The rows, joined in their partitions and order.
   *
   * @param rows the same each time that they are read
   */
  public <T, R> JavaRDD<R> joined(
      TensorBlocks tensor, JavaRDD<T> rows, Asker<T> asker, Joiner<T, R> joiner) {
    JavaRDD<UpdateChunk> slots = rows.mapPartitionsWithIndex(asker::ask, false);
    AskedSlices asked = this;
    return rows.zipPartitions(
        answers(tensor, slots), (left, right) -> joiner.join(left, new AnswerWindow(right, asked)));
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers(
      TensorBlocks tensor, JavaRDD<UpdateChunk> slots) {
    Pieces result =
        new Pieces(
            new InTurn(slots.getNumPartitions(), pieces.perSlice() * MOST_SLOTS),
            pieces.perSlice(),
            pieces.units());
    TensorGather exchange =
        new TensorGather(
            dtype,
            pieces,
            result,
            pieces.perSlice() * windowSlots,
            Exchange.Order.AS_SENT,
            tensor.kernel());
    return exchange.answers(tensor.rdd(), slots, partition -> partition * MOST_SLOTS);
  }
}
