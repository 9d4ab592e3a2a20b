/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.skew.SplitSliceFold.CutBatch;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import scala.Tuple2;

/**
 * Splits updates that the driver has distributed into those of hot pieces and the rest. They are
 * not distributed again: every task can fetch every packet, so each takes its updates from the
 * packets of the owners. No value is copied.
 */
public final class LocalSplitUpdates {
  private final BroadcastBatches updates;
  private final SkewSplitPlan plan;

  public LocalSplitUpdates(BroadcastBatches updates, SkewSplitPlan plan) {
    this.updates = updates;
    this.plan = plan;
  }

  /** Returns the updates of the cuts that {@code task} folds. */
  public Iterator<CutBatch> ofTask(int task) {
    return IntStream.of(plan.owners())
        .boxed()
        .flatMap(owner -> batches(owner).flatMap(batch -> cutsIn(task, owner, batch)))
        .iterator();
  }

  /** Returns the updates of pieces of {@code owner} that are not hot. */
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> ofOwner(int owner) {
    return plan.firstPiece(owner) == plan.endPiece(owner)
        ? updates.batches(owner)
        : batches(owner)
            .map(batch -> new Tuple2<>(new BatchKey(owner, 0, 0), withoutHot(owner, batch)))
            .iterator();
  }

  private Stream<ShuffleBatch> batches(int owner) {
    Iterable<Tuple2<BatchKey, ShuffleBatch>> all = () -> updates.batches(owner);
    return StreamSupport.stream(all.spliterator(), false).map(Tuple2::_2);
  }

  private ShuffleBatch withoutHot(int owner, ShuffleBatch batch) {
    int first = plan.firstPiece(owner);
    int end = plan.endPiece(owner);
    Picked rest = new Picked(batch.count());
    for (int i = 0; i < batch.count(); i++) {
      if (plan.piece(first, end, batch.locals()[i]) < 0) {
        rest.add(batch.locals()[i], i);
      }
    }
    return rest.of(batch);
  }

  private Stream<CutBatch> cutsIn(int task, int owner, ShuffleBatch batch) {
    int first = plan.firstPiece(owner);
    int end = plan.endPiece(owner);
    Picked[] picked = new Picked[plan.kinds()];
    Arrays.setAll(picked, kind -> new Picked(64));
    for (int i = 0; i < batch.count(); i++) {
      int piece = plan.piece(first, end, batch.locals()[i]);
      for (int part = 0; piece >= 0 && part < plan.parts(piece); part++) {
        int cut = plan.firstCut(piece) + part;
        if (plan.task(cut) == task) {
          picked[plan.kindOfPiece(piece)].add(plan.slot(cut), i * plan.parts(piece) + part);
        }
      }
    }
    return IntStream.range(0, picked.length)
        .mapToObj(kind -> new CutBatch(kind, picked[kind].of(batch)));
  }

  /** A selection of the updates of a batch. */
  private static final class Picked {
    private long[] locals;
    private int[] rows;
    private int count;

    Picked(int room) {
      locals = new long[room];
      rows = new int[room];
    }

    void add(long local, int row) {
      if (count == locals.length) {
        locals = Arrays.copyOf(locals, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
      }
      locals[count] = local;
      rows[count++] = row;
    }

    ShuffleBatch of(ShuffleBatch batch) {
      return new ShuffleBatch(
          batch.storage(), count, locals, rows, batch.payload(), batch.payloadUnits());
    }
  }
}
