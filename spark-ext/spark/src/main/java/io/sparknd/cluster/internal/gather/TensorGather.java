/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.scatter.FoldOptions;
import io.sparknd.cluster.internal.scatter.PartitionFold;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import io.sparknd.cluster.internal.shuffle.RowBinner;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceCopy;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Scatter;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * A gather in two shuffles. Requests (a piece and its place in the result) are sent to the
 * partitions that own the pieces, and the pieces to the partitions that collect them.
 *
 * @param source pieces of the tensor that is read
 * @param result pieces of the collecting side, of the same length
 * @param window pieces of the result by which responses are grouped, as in {@link RowBinner}
 * @param order order in which responses arrive
 */
public record TensorGather(
    DType dtype,
    Pieces source,
    Pieces result,
    long window,
    BatchShuffle.Order order,
    @Nullable String kernel)
    implements Serializable {
  /** Requests in a chunk. */
  private static final int CHUNK_REQUESTS = 8192;

  /** The least bytes of slices that a block of the shuffle should have. */
  private static final int SMALLEST_BLOCK = 8 << 10;

  private static final int TASKS_PER_CORE = 4;

  /** Returns the number in the result of the first slot of a source partition. */
  interface FirstSlot extends Serializable {
    long of(int source);
  }

  /** Runs a gather whose indices are on the driver. */
  public static TensorBlocks run(TensorBlocks tensor, GatherCall call) {
    IndexPlan plan = call.plan(tensor.shape());
    long[] offsets = SliceOffsets.of(plan, call.indices(), call.how().indices()).resolveAll();
    BlockLayout layout = tensor.layout().like(tensor.dtype(), plan.updates());
    Object fill = call.fillValue(tensor.dtype()).orElse(null);
    TensorBlocks empty = TensorSource.filled(tensor.spark(), layout, fill);
    TensorGather gather = between(tensor, layout, plan.slice().elements());
    BroadcastBatches requests = BroadcastBatches.requests(tensor.spark(), offsets, gather.source());
    JavaRDD<NumberedRows> pieces =
        tensor
            .rdd()
            .mapPartitionsWithIndex(
                (index, partitions) -> gather.respond(partitions, requests.batches(index)), false);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> responses =
        gather.shuffledResponses(gather.coalesced(tensor, pieces, plan.updates().elements()));
    JavaRDD<TensorPartition> result =
        empty
            .rdd()
            .zipPartitions(
                responses,
                new PartitionFold(
                    tensor.dtype(),
                    Scatter.update(),
                    gather.result(),
                    tensor.kernel(),
                    null,
                    FoldOptions.IN_PLACE));
    VersionLineage.persist(result, 0); // unread: its lineage is not truncated
    GatherLog.add(tensor, "indices on the driver");
    return tensor.derived(layout, result);
  }

  /**
   * Coalesces responses into tasks that each read one or more partitions of the tensor. A shuffle
   * has a block for every pair of a map task and a result partition. If blocks held only a few
   * slices, writing and reading blocks would take most of the time, so fewer tasks write larger
   * blocks.
   */
  private JavaRDD<NumberedRows> coalesced(
      TensorBlocks tensor, JavaRDD<NumberedRows> responses, long elements) {
    int least = TASKS_PER_CORE * ClusterCores.of(tensor.spark());
    long bytes = elements * BlockLayout.unitBytes(dtype.storage()) * dtype.units();
    long filled = bytes / ((long) SMALLEST_BLOCK * result.partitions());
    long tasks = Math.max(least, filled);
    return tasks < source.partitions() ? responses.coalesce((int) tasks) : responses;
  }

  /** Returns the gather of slices from {@code tensor} into a tensor of layout {@code result}. */
  private static TensorGather between(TensorBlocks tensor, BlockLayout result, long sliceElements) {
    long most = Math.min(tensor.layout().rowElements(), result.rowElements());
    return new TensorGather(
        tensor.dtype(),
        tensor.layout().pieces(sliceElements, most),
        result.pieces(sliceElements, most),
        RowBinner.NO_WINDOW,
        BatchShuffle.Order.ANY,
        tensor.kernel());
  }

  /**
   * Returns the requested slices in the partitions that own them.
   *
   * @param slots offsets of slices as chunks without payload, in the order of the result
   * @param firstSlot number in the result of the first slot of each source partition
   */
  JavaRDD<NumberedRows> responses(
      JavaRDD<TensorPartition> tensor, JavaRDD<NumberedRows> slots, FirstSlot firstSlot) {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> requests =
        BatchShuffle.byReference(
            slots.mapPartitionsWithIndex(
                (partition, chunks) ->
                    new RowBinner(
                        partition,
                        new Requests(chunks, firstSlot.of(partition), source.perSlice()),
                        Storage.LONG,
                        new Pieces(source.partitioner(), 1, 1)),
                false),
            source.partitions(),
            Storage.LONG,
            order);
    return tensor.zipPartitions(requests, this::respond);
  }

  /** Shuffles responses to the requesting partitions. */
  JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffledResponses(JavaRDD<NumberedRows> responses) {
    return BatchShuffle.byReference(
        responses.mapPartitionsWithIndex(
            (partition, chunks) ->
                new RowBinner(partition, chunks, dtype.storage(), result.single(), window),
            false),
        result.partitions(),
        dtype.storage(),
        order);
  }

  private Iterator<NumberedRows> respond(
      Iterator<TensorPartition> partitions, Iterator<Tuple2<BatchKey, ShuffleBatch>> requests) {
    TensorPartition partition = TensorPartition.only(partitions);
    SliceBlocks blocks =
        SliceBlocks.owned(
            dtype.storage(), partition.blocks(), (int) source.perBlock(), source.units());
    Storage storage = dtype.storage();
    int units = source.units();
    SliceCopy copy =
        SliceCopy.fromVersion(
            KernelProviders.named(Objects.requireNonNull(kernel)), storage, blocks);
    return new SliceResponses(
        requests,
        units * BlockLayout.unitBytes(storage),
        local -> source.global(partition.index(), local),
        (locals, from, to) -> {
          Object slices = storage.allocate((to - from) * units);
          copy.apply(locals, null, -from, from, to, slices);
          copy.finish();
          return slices;
        });
  }

  /** Converts slots to requests for pieces. The payload of a request is its place in the result. */
  private static final class Requests implements Iterator<NumberedRows> {
    private final Iterator<NumberedRows> slots;
    private final long perSlice;
    private long resultSlot;
    private @Nullable NumberedRows chunk;
    private int slot;
    private long piece;

    Requests(Iterator<NumberedRows> slots, long firstSlot, long perSlice) {
      this.slots = slots;
      this.resultSlot = firstSlot;
      this.perSlice = perSlice;
    }

    @Override
    public boolean hasNext() {
      while ((chunk == null || slot == chunk.count()) && slots.hasNext()) {
        chunk = slots.next();
        slot = 0;
      }
      return chunk != null && slot < chunk.count();
    }

    @Override
    public NumberedRows next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      NumberedRows chunk = Objects.requireNonNull(this.chunk);
      long[] pieces = new long[CHUNK_REQUESTS];
      long[] places = new long[CHUNK_REQUESTS];
      int count = 0;
      while (count < CHUNK_REQUESTS && slot < chunk.count()) {
        long offset = chunk.numbers()[slot];
        if (offset != SliceOffsets.DROPPED) {
          pieces[count] = offset * perSlice + piece;
          places[count++] = resultSlot * perSlice + piece;
        }
        piece = offset == SliceOffsets.DROPPED ? perSlice : piece + 1;
        if (piece == perSlice) {
          piece = 0;
          slot++;
          resultSlot++;
        }
      }
      return new NumberedRows(pieces, count, places);
    }
  }
}
