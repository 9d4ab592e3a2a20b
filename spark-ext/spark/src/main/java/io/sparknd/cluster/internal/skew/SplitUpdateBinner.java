/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.shuffle.BatchIterator;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.OpenBatches;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Redistributes the batches of one source for partitions with hot pieces. Updates of hot pieces are
 * sent as cuts to the tasks that fold them, all others to their owners. These tasks are numbered
 * after the partitions of the tensor. A payload viewed in rows of a cut's width has each cut as a
 * row, so bins take cuts as they take pieces.
 */
public final class SplitUpdateBinner extends BatchIterator {
  /** Maximum bytes in all open batches. */
  private static final int BUDGET = 4 << 20;

  private static final int LARGEST_BATCH = 256 << 10;
  private static final int SMALLEST_BATCH = 8 << 10;

  private final int source;
  private final Iterator<Tuple2<BatchKey, ShuffleBatch>> batches;
  private final SkewSplitPlan plan;
  private final int partitions;
  private final OpenBatches cold;
  private final OpenBatches[] hot;
  private @Nullable ShuffleBatch batch;
  private int owner;
  private int firstPiece;
  private int endPiece;
  private int update;
  private int part;
  private int drained;
  private int sequence;
  private long bytes;

  /**
   * @param batches the batches of partitions with hot pieces, in order within each partition
   * @param partitions the number of partitions of the tensor
   */
  public SplitUpdateBinner(
      int source,
      Iterator<Tuple2<BatchKey, ShuffleBatch>> batches,
      SkewSplitPlan plan,
      Storage storage,
      int partitions) {
    this.source = source;
    this.batches = batches;
    this.plan = plan;
    this.partitions = partitions;
    int bins = plan.owners().length + plan.tasks() * plan.kinds();
    int bytes = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, BUDGET / bins));
    this.cold = OpenBatches.uncombined(plan.owners().length, storage, plan.units(), bytes);
    this.hot =
        IntStream.range(0, plan.kinds())
            .mapToObj(
                kind -> OpenBatches.uncombined(plan.tasks(), storage, plan.width(kind), bytes))
            .toArray(OpenBatches[]::new);
  }

  /** Returns the bytes of all emitted batches. */
  public long bytes() {
    return bytes;
  }

  @Override
  protected @Nullable Tuple2<BatchKey, ShuffleBatch> advance() {
    while (batch != null || batches.hasNext()) {
      if (batch == null) {
        Tuple2<BatchKey, ShuffleBatch> arrived = batches.next();
        open(arrived._1().partition());
        batch = arrived._2();
        update = 0;
      }
      ShuffleBatch open = batch;
      Tuple2<BatchKey, ShuffleBatch> full = fill(open);
      if (full != null) {
        return full;
      }
      cold.move(open.payload());
      Arrays.stream(hot).forEach(bins -> bins.move(open.payload()));
      batch = null;
    }
    return drain();
  }

  private void open(int partition) {
    owner = Arrays.binarySearch(plan.owners(), partition);
    firstPiece = plan.firstPiece(partition);
    endPiece = plan.endPiece(partition);
  }

  /**
   * Distributes the batch until a bin is full, and returns that bin's batch; null at the end of the
   * batch.
   */
  private @Nullable Tuple2<BatchKey, ShuffleBatch> fill(ShuffleBatch batch) {
    Object payload = batch.payload();
    while (update < batch.count()) {
      long local = batch.locals()[update];
      int piece = plan.piece(firstPiece, endPiece, local);
      if (piece < 0) {
        if (cold.add(owner, local, payload, update++)) {
          return emit(cold, owner, plan.owners()[owner]);
        }
      } else {
        Tuple2<BatchKey, ShuffleBatch> full = cut(piece, payload);
        if (full != null) {
          return full;
        }
      }
    }
    return null;
  }

  private @Nullable Tuple2<BatchKey, ShuffleBatch> cut(int piece, Object payload) {
    OpenBatches bins = hot[plan.kindOfPiece(piece)];
    int first = plan.firstCut(piece);
    int parts = plan.parts(piece);
    while (part < parts) {
      int cut = first + part;
      int task = plan.task(cut);
      int row = update * parts + part++;
      if (bins.add(task, plan.slot(cut), payload, row)) {
        return emit(bins, task, partitions + task);
      }
    }
    part = 0;
    update++;
    return null;
  }

  private Tuple2<BatchKey, ShuffleBatch> emit(OpenBatches bins, int bin, int partition) {
    if (batch != null) {
      bins.move(batch.payload());
    }
    ShuffleBatch full = bins.take(bin);
    bytes += full.bytes();
    return new Tuple2<>(new BatchKey(partition, source, sequence++), full);
  }

  private @Nullable Tuple2<BatchKey, ShuffleBatch> drain() {
    while (drained < plan.owners().length) {
      int bin = drained++;
      if (!cold.isEmpty(bin)) {
        return emit(cold, bin, plan.owners()[bin]);
      }
    }
    int hotBins = plan.tasks() * hot.length;
    while (drained < plan.owners().length + hotBins) {
      int bin = drained++ - plan.owners().length;
      OpenBatches bins = hot[bin / plan.tasks()];
      int task = bin % plan.tasks();
      if (!bins.isEmpty(task)) {
        return emit(bins, task, partitions + task);
      }
    }
    return null;
  }
}
