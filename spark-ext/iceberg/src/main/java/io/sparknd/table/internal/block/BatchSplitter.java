/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Splits the batches of a partition by block.
 *
 * @param parts the scatters of the commit
 * @param rows rows of a full block
 */
record BatchSplitter(int partition, List<ScatterStage> parts, long rows) {
  /** Bytes of a run beside its updates: the object and the headers of its arrays. */
  private static final int RUN_BYTES = 128;

  private static final int UPDATE_BYTES = Long.BYTES + Integer.BYTES;

  /** Passes each batch's runs with their blocks to {@code target}, in the order of the batches. */
  void split(Iterator<TaggedBatch> sent, BiConsumer<Long, UpdateRun> target) {
    while (sent.hasNext()) {
      TaggedBatch next = sent.next();
      split(next.part(), next.batch(), target);
    }
  }

  private void split(int part, ShuffleBatch batch, BiConsumer<Long, UpdateRun> target) {
    Pieces pieces = parts.get(part).pieces();
    long perBlock = rows * parts.get(part).perRow();
    Map<Long, Growing> growing = new HashMap<>();
    long[] offsets = batch.locals();
    long first = -1; // first piece of the current block in the partition
    Growing into = null;
    for (int i = 0; i < batch.count(); i++) {
      if (into == null || offsets[i] < first || offsets[i] >= first + perBlock) {
        long piece = pieces.global(partition, offsets[i]);
        first = offsets[i] - piece % perBlock;
        into = growing.computeIfAbsent(piece / perBlock, key -> new Growing());
      }
      into.add(offsets[i] - first, batch.rows() == null ? i : batch.rows()[i]);
    }
    growing.forEach((block, run) -> target.accept(block, run.of(part, batch, pieces.units())));
  }

  private static final class Growing {
    private long[] pieces = new long[16];
    private int[] rows = new int[16];
    private int count;

    void add(long piece, int row) {
      if (count == rows.length) {
        pieces = Arrays.copyOf(pieces, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
      }
      pieces[count] = piece;
      rows[count++] = row;
    }

    /**
     * Returns the run. It has a payload of its own if that is at most half of the batch's, which
     * stays in memory else as long as one of its runs does.
     *
     * @param units units of a piece
     */
    UpdateRun of(int part, ShuffleBatch batch, int units) {
      boolean isCopied = 2L * count * units <= batch.payloadUnits();
      Object payload = isCopied ? copy(batch, units) : batch.payload();
      long payloadUnits = isCopied ? (long) count * units : batch.payloadUnits();
      long bytes =
          RUN_BYTES
              + (long) count * UPDATE_BYTES
              + payloadUnits * BlockLayout.unitBytes(batch.storage());
      return new UpdateRun(
          part, Arrays.copyOf(pieces, count), Arrays.copyOf(rows, count), count, payload, bytes);
    }

    /** Copies the rows of the payload, which then have the numbers of their updates. */
    private Object copy(ShuffleBatch batch, int units) {
      Object own = batch.storage().allocate(count * units);
      for (int i = 0; i < count; i++) {
        System.arraycopy(batch.payload(), rows[i] * units, own, i * units, units);
        rows[i] = i;
      }
      return own;
    }
  }
}
