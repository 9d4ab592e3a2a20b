/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;

/**
 * Requests slices from their owners and joins them with the rows of the requesting tasks. A task
 * reads its rows twice, and they must be the same both times: first to request one slice per slot,
 * then to join as responses arrive in windows of slots.
 *
 * @param pieces pieces of the slices in the tensor's blocks
 * @param windowSlots slots whose slices a task holds at a time
 */
public record RequestedSlices(DType dtype, Pieces pieces, int windowSlots) implements Serializable {
  /** The most slots that a partition can request. */
  private static final long MAX_SLOTS = 1L << 32;

  /**
   * Produces a task's requests: offsets of slices without payload, {@code DROPPED} for a slot
   * without a slice.
   */
  public interface Requester<T> extends Serializable {
    Iterator<NumberedRows> requests(int partition, Iterator<T> rows);
  }

  /** Joins a task's rows with the requested slices. */
  public interface Joiner<T, R> extends Serializable {
    Iterator<R> join(Iterator<T> rows, ResponseWindow responses);
  }

  /** The owners of slices. */
  public interface Owners {
    /**
     * Returns the requested slices.
     *
     * @param slots the requested slots
     * @return slices, each with its place: the number of its slot, counted from {@link #firstPlace}
     *     of the requesting partition, times the pieces of a slice. Places of one partition ascend.
     */
    JavaRDD<NumberedRows> responses(JavaRDD<NumberedRows> slots);
  }

  /**
   * Creates requests in windows of at most {@code windowBytes} and {@code mostSlots}, but at least
   * one slot.
   *
   * @param slice shape of a slice of {@code tensor}
   */
  public static RequestedSlices of(
      TensorBlocks tensor, Shape slice, int windowBytes, int mostSlots) {
    Pieces pieces = tensor.layout().pieces(slice.elements());
    return of(tensor.dtype(), pieces, windowBytes, mostSlots);
  }

  /**
   * Creates requests for slices that no tensor holds, in windows of at most {@code windowBytes} and
   * {@code mostSlots}, but at least one slot.
   *
   * @param pieces pieces of a slice; their distribution over partitions is not used
   */
  public static RequestedSlices of(DType dtype, Pieces pieces, int windowBytes, int mostSlots) {
    long elements = pieces.perSlice() * pieces.units() / dtype.units();
    long bytes = Math.max(1, elements * BlockLayout.elementBytes(dtype));
    int slots = (int) Math.max(1, Math.min(mostSlots, windowBytes / bytes));
    return new RequestedSlices(dtype, pieces, slots);
  }

  /** Returns the number of the first slot of a requesting partition. */
  public static long firstPlace(int partition) {
    return partition * MAX_SLOTS;
  }

  /**
   * Returns the rows joined with slices of {@code tensor}, in the rows' partitions and order.
   *
   * @param rows the same each time they are read
   */
  public <T, R> JavaRDD<R> joined(
      TensorBlocks tensor, JavaRDD<T> rows, Requester<T> requester, Joiner<T, R> joiner) {
    TensorGather gather = gather(rows.getNumPartitions(), tensor.kernel());
    return joined(
        slots -> gather.responses(tensor.rdd(), slots, RequestedSlices::firstPlace),
        rows,
        requester,
        joiner);
  }

  /**
   * Returns the rows joined with the slices of {@code owners}, in the rows' partitions and order.
   *
   * @param rows the same each time they are read
   */
  public <T, R> JavaRDD<R> joined(
      Owners owners, JavaRDD<T> rows, Requester<T> requester, Joiner<T, R> joiner) {
    JavaRDD<NumberedRows> responses =
        owners.responses(rows.mapPartitionsWithIndex(requester::requests, false));
    RequestedSlices requested = this;
    return rows.zipPartitions(
        gather(rows.getNumPartitions(), null).shuffledResponses(responses),
        (left, right) -> joiner.join(left, new ResponseWindow(right, requested)));
  }

  private TensorGather gather(int requesters, @Nullable String kernel) {
    CyclicBlockPartitioner byRequester =
        new CyclicBlockPartitioner(requesters, pieces.perSlice() * MAX_SLOTS);
    return new TensorGather(
        dtype,
        pieces,
        new Pieces(byRequester, pieces.perSlice(), pieces.units()),
        pieces.perSlice() * windowSlots,
        BatchShuffle.Order.AS_SENT,
        kernel);
  }
}
