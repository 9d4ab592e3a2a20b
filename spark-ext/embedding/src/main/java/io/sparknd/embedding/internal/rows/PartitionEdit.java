/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the next version of a partition by copy-on-write; each page and block is copied once. Of a
 * partition that was taken, those that no other version has are not copied.
 */
final class PartitionEdit {
  /** Written blocks of a page with a slab, at least: the others take memory for nothing. */
  private static final int WRITTEN = EmbeddingPartition.PAGE * 3 / 4;

  /** Own blocks outside a slab, at least: the others are copied without need. */
  private static final int ALONE = EmbeddingPartition.PAGE / 2;

  /** The same in a page of which every block is an own one, as where keys are added. */
  private static final int REST = EmbeddingPartition.PAGE / 4;

  private final EmbeddingPartition before;
  private final RowLayout layout;
  private final InitialRows initial;
  private final AddedKeys added;
  private final int perBlock;
  private final int shift;
  private final PreviousVersion previous;
  private final BitSet ownPages;
  private final BitSet ownBlocks;

  /** Pages with blocks that became own ones in this edit. */
  private final BitSet newPages = new BitSet();

  private final PrefetchedRows prefetched;
  private RowBlock[][] pages;
  private long bytes;

  /** A block of which no row was updated, for {@link #reset}. */
  private @Nullable RowBlock fresh;

  PartitionEdit(EmbeddingPartition before, RowLayout layout, InitialRows initial) {
    this(before, layout, initial, PreviousVersion.KEPT);
  }

  PartitionEdit(
      EmbeddingPartition before, RowLayout layout, InitialRows initial, PreviousVersion previous) {
    OwnedBlocks owned = previous == PreviousVersion.TAKEN ? before.owned() : OwnedBlocks.none();
    this.previous = previous;
    this.perBlock = layout.perBlock();
    this.shift = Integer.numberOfTrailingZeros(perBlock);
    this.ownPages = owned.pages();
    this.ownBlocks = owned.blocks();
    this.before = before;
    this.layout = layout;
    this.initial = initial;
    this.prefetched = new PrefetchedRows(layout, GradientWindow.ROWS);
    this.added = new AddedKeys(before.rows());
    // a table of 100 million rows has a million pages
    this.pages = owned.ownsArray() ? before.pages() : before.pages().clone();
    this.bytes = before.blockBytes();
  }

  /** Returns the number of the row at {@code address}; adds the row if it is absent. */
  long row(long address) {
    long row = before.rows().row(address);
    if (row != RowIndex.ABSENT) {
      return row;
    }
    long end = added.end();
    long place = added.row(address);
    if (place == end) {
      RowBlock block = own(place);
      initial.weights(address, block.weights(), block.at(place, perBlock) * layout.dim());
    }
    return place;
  }

  /** Prefetches the rows of a window that were written. */
  void prefetch(GradientWindow window) {
    for (int i = 0; i < window.count(); i++) {
      long row = before.rows().row(window.address(i));
      RowBlock[] page = row == RowIndex.ABSENT ? null : pages[page(row)];
      RowBlock block = page == null ? null : page[block(row) % EmbeddingPartition.PAGE];
      if (block != null) {
        prefetched.add(block, block.at(row, perBlock));
      }
    }
    prefetched.prefetch();
  }

  /**
   * Expects updates of many rows from {@code first} to {@code last}, which are addresses. If these
   * are numbered rows of one slab of a version that others have, copies it as a whole: in the steps
   * of a training most of its blocks will be written.
   */
  void expect(long first, long last) {
    if (previous == PreviousVersion.KEPT || !(before.rows() instanceof DenseRowIndex)) {
      return;
    }
    int page = page(first);
    RowBlock[] blocks = page(last) == page ? pages[page] : null;
    int at = block(first) % EmbeddingPartition.PAGE;
    if (blocks != null
        && blocks[at] != null
        && blocks[at].isSlab()
        && !ownBlocks.get(block(first))) {
      ownSlab(page, blocks[at]);
    }
  }

  private void ownSlab(int page, RowBlock slab) {
    if (Stream.of(pages[page]).filter(slab::hasArraysOf).count() < WRITTEN) {
      return;
    }
    RowBlock[] blocks = ownPage(page);
    RowBlock copy = slab.copied();
    for (int i = 0; i < blocks.length; i++) {
      if (slab.hasArraysOf(blocks[i])) {
        blocks[i] = copy;
        ownBlocks.set(page * EmbeddingPartition.PAGE + i);
      }
    }
  }

  private int page(long row) {
    return block(row) / EmbeddingPartition.PAGE;
  }

  /** Returns whether there is a row at {@code address}. */
  boolean has(long address) {
    return before.rows().row(address) != RowIndex.ABSENT || added.has(address);
  }

  /** Adds row {@code from} of another block under a new key. */
  void add(long key, RowBlock block, int from) {
    long place = added.row(key);
    RowBlock to = own(place);
    to.copyRow(block, from, to.at(place, perBlock), layout);
  }

  /** Makes a row what it was before its first update. */
  void reset(long row) {
    fresh = fresh == null ? RowBlock.blank(layout) : fresh;
    RowBlock block = own(row);
    int at = block.at(row, perBlock);
    block.copyRow(fresh, 0, at, layout);
    initial.weights(before.rows().address(row), block.weights(), at * layout.dim());
  }

  /** Makes a block absent. */
  void drop(int number) {
    RowBlock[] page = ownPage(number / EmbeddingPartition.PAGE);
    RowBlock dropped = Objects.requireNonNull(page[number % EmbeddingPartition.PAGE]);
    bytes -= dropped.bytes(layout.storage());
    ownBlocks.clear(number);
    page[number % EmbeddingPartition.PAGE] = null;
  }

  private int block(long row) {
    return Math.toIntExact(row >>> shift);
  }

  /** Returns the block or the slab of a row, for writing to rows of its block. */
  RowBlock own(long row) {
    int number = block(row);
    RowBlock[] page = ownPage(number / EmbeddingPartition.PAGE);
    int at = number % EmbeddingPartition.PAGE;
    if (!ownBlocks.get(number)) {
      ownBlocks.set(number);
      newPages.set(number / EmbeddingPartition.PAGE);
      page[at] = page[at] == null ? blank(number) : copy(page[at], number);
    }
    return page[at];
  }

  private RowBlock copy(RowBlock block, int number) {
    RowBlock copy = block.copy(number, layout);
    bytes += copy.bytes(layout.storage()) - block.bytes(layout.storage());
    return copy;
  }

  private RowBlock blank(int number) {
    RowBlock block = initial.block(number, before.rowsIn(number, layout));
    bytes += block.bytes(layout.storage());
    return block;
  }

  private RowBlock[] ownPage(int page) {
    if (!ownPages.get(page)) {
      ownPages.set(page);
      if (page >= pages.length) {
        pages = Arrays.copyOf(pages, page + page / 2 + 1);
      }
      bytes += pages[page] == null ? EmbeddingPartition.PAGE_BYTES : 0;
      pages[page] =
          pages[page] == null ? new RowBlock[EmbeddingPartition.PAGE] : pages[page].clone();
    }
    return pages[page];
  }

  /**
   * Moves the blocks of a page to a slab if it has most of them and half of them are on their own.
   * A row is then one access to memory, not one each for the block and its arrays. A step that
   * writes to a slab of another version copies blocks out of it, so that it costs no more than
   * without slabs.
   */
  private void pack(int page) {
    RowBlock[] blocks = pages[page];
    int first = page * EmbeddingPartition.PAGE;
    if (!isWorthSlab(blocks, first)) {
      return;
    }
    RowBlock slab = RowBlock.blankSlab(layout);
    for (int i = 0; i < blocks.length; i++) {
      if (blocks[i] != null) {
        slab.copyBlock(blocks[i], first + i, layout);
        bytes += slab.bytes(layout.storage()) - blocks[i].bytes(layout.storage());
        blocks[i] = slab;
        ownBlocks.set(first + i);
      }
    }
  }

  private boolean isWorthSlab(RowBlock[] blocks, int first) {
    int written = 0;
    int own = 0;
    int alone = 0;
    for (int i = 0; i < blocks.length; i++) {
      boolean isOwn = ownBlocks.get(first + i);
      written += blocks[i] == null ? 0 : 1;
      own += isOwn ? 1 : 0;
      alone += isOwn && !blocks[i].isSlab() ? 1 : 0;
    }
    return written >= WRITTEN && alone >= ALONE || own == blocks.length && alone >= REST;
  }

  /** Returns the new version. The edit must not be used afterwards. */
  EmbeddingPartition done(List<RowRequest> requests) {
    if (previous == PreviousVersion.TAKEN) {
      newPages.stream().forEach(this::pack);
    }
    RowIndex rows = added.index();
    int length = EmbeddingPartition.pages(layout.blocks(rows.size()));
    RowBlock[][] exact = length == pages.length ? pages : Arrays.copyOf(pages, length);
    return new EmbeddingPartition(layout, before.index(), rows, exact, requests, bytes)
        .with(before.evicted())
        .withCountsOf(before)
        .withOwned(new OwnedBlocks(ownPages, ownBlocks, true));
  }
}
