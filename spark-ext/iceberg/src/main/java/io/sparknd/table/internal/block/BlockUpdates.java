/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The updates of one block, in the order in which they apply. */
final class BlockUpdates {
  private final List<Run> runs = new ArrayList<>();

  /**
   * The updates of one block in one batch.
   *
   * @param pieces piece numbers in the block; the first {@code count} are valid
   * @param rows rows of the payload; the first {@code count} are valid
   */
  record Run(int part, long[] pieces, int[] rows, int count, Object payload) {}

  /**
   * Splits the batches of {@code partition} by block.
   *
   * @param rows rows of a full block
   * @return the updates of its blocks, ascending
   */
  static Map<Long, BlockUpdates> splitByBlock(
      int partition, Iterator<TaggedBatch> sent, List<ScatterStage> parts, long rows) {
    Map<Long, BlockUpdates> blocks = new TreeMap<>();
    while (sent.hasNext()) {
      TaggedBatch next = sent.next();
      ScatterStage part = parts.get(next.part());
      new Splitter(next, rows * part.perRow())
          .runs(partition, part.pieces())
          .forEach(
              (block, run) ->
                  blocks.computeIfAbsent(block, key -> new BlockUpdates()).runs.add(run));
    }
    return blocks;
  }

  List<Run> runs() {
    return runs;
  }

  long count() {
    return runs.stream().mapToLong(Run::count).sum();
  }

  /** Returns the row in the block of every update, duplicates included. */
  long[] rows(List<ScatterStage> parts) {
    long[] rows = new long[Math.toIntExact(count())];
    int at = 0;
    for (Run run : runs) {
      int perRow = parts.get(run.part()).perRow();
      for (int i = 0; i < run.count(); i++) {
        rows[at++] = run.pieces()[i] / perRow;
      }
    }
    return rows;
  }

  /** Splits one batch by block. */
  private static final class Splitter {
    private final TaggedBatch sent;
    private final long perBlock;
    private final Map<Long, Growing> growing = new HashMap<>();

    Splitter(TaggedBatch sent, long perBlock) {
      this.sent = sent;
      this.perBlock = perBlock;
    }

    Map<Long, Run> runs(int partition, Pieces pieces) {
      long[] offsets = sent.batch().locals();
      long first = -1; // first piece of the current block in the partition
      Growing into = null;
      for (int i = 0; i < sent.batch().count(); i++) {
        if (into == null || offsets[i] < first || offsets[i] >= first + perBlock) {
          long piece = pieces.global(partition, offsets[i]);
          first = offsets[i] - piece % perBlock;
          into = growing.computeIfAbsent(piece / perBlock, key -> new Growing());
        }
        into.add(offsets[i] - first, row(i));
      }
      Map<Long, Run> runs = new HashMap<>();
      growing.forEach(
          (key, grown) ->
              runs.put(
                  key,
                  new Run(
                      sent.part(), grown.pieces, grown.rows, grown.count, sent.batch().payload())));
      return runs;
    }

    private int row(int i) {
      return sent.batch().rows() == null ? i : sent.batch().rows()[i];
    }
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
  }
}
