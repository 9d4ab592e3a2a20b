/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves numbered rows to another number of partitions. Blocks stay unchanged; the number of a block
 * among all blocks determines its partition. Slabs are split into blocks.
 */
record BlockRepartitioner(
    RowLayout layout, DenseIdDirectory before, DenseIdDirectory after, String checkpoint)
    implements Repartitioner {

  @Override
  public List<EmbeddingPartition> split(EmbeddingPartition partition) {
    RowBlock[][][] pages = new RowBlock[after.partitions()][][];
    for (int local = 0; local < partition.blocks(); local++) {
      RowBlock block = alone(partition.block(local), local);
      if (block != null) {
        long number = before.block(partition.index(), local);
        int owner = (int) (number % after.partitions());
        pages[owner] = pages[owner] == null ? emptyPages(owner) : pages[owner];
        put(pages[owner], (int) (number / after.partitions()), block);
      }
    }
    EvictedIds[] evicted = partition.evicted().split(checkpoint, after);
    List<EmbeddingPartition> parts = new ArrayList<>();
    for (int owner = 0; owner < pages.length; owner++) {
      if (pages[owner] != null || !evicted[owner].isEmpty()) {
        RowBlock[][] own = pages[owner] == null ? emptyPages(owner) : pages[owner];
        parts.add(partition(owner, own).with(evicted[owner]));
      }
    }
    return parts;
  }

  @Override
  public EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts) {
    RowBlock[][] pages = emptyPages(index);
    EvictedIds evicted = EvictedIds.NONE;
    while (parts.hasNext()) {
      EmbeddingPartition part = parts.next();
      evicted = evicted.and(checkpoint, part.evicted().ids());
      for (int local = 0; local < part.blocks(); local++) {
        RowBlock block = alone(part.block(local), local);
        if (block != null) {
          put(pages, local, block);
        }
      }
    }
    return partition(index, pages).with(evicted);
  }

  /** Returns the block with arrays of its own. */
  private @Nullable RowBlock alone(@Nullable RowBlock block, int number) {
    return block == null || !block.isSlab() ? block : block.copy(number, layout);
  }

  private RowBlock[][] emptyPages(int index) {
    return EmbeddingPartition.empty(layout, after, index).pages();
  }

  private static void put(RowBlock[][] pages, int local, RowBlock block) {
    int page = local / EmbeddingPartition.PAGE;
    if (pages[page] == null) {
      pages[page] = new RowBlock[EmbeddingPartition.PAGE];
    }
    pages[page][local % EmbeddingPartition.PAGE] = block;
  }

  private EmbeddingPartition partition(int index, RowBlock[][] pages) {
    long bytes = 0;
    for (RowBlock[] page : pages) {
      if (page != null) {
        bytes += EmbeddingPartition.PAGE_BYTES;
        bytes +=
            Arrays.stream(page)
                .mapToLong(block -> block == null ? 0 : block.bytes(layout.storage()))
                .sum();
      }
    }
    RowIndex rows = RowIndex.empty(after, index);
    return new EmbeddingPartition(layout, index, rows, pages, List.of(), bytes);
  }
}
