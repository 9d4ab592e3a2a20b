/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the next version of a partition by copy-on-write; each page and block is copied once. Of a
 * partition that was taken, those that no other version has are not copied.
 */
final class PartitionEdit {
  private final EmbeddingPartition before;
  private final RowLayout layout;
  private final InitialRows initial;
  private final AddedKeys added;
  private final int perBlock;
  private final BitSet ownPages;
  private final BitSet ownBlocks;
  private RowBlock[][] pages;
  private long bytes;

  /** A block of which no row was updated, for {@link #reset}. */
  private @Nullable RowBlock fresh;

  /** Element of the rows that {@link #touch} read, so that the reads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  PartitionEdit(EmbeddingPartition before, RowLayout layout, InitialRows initial) {
    this(before, layout, initial, PreviousVersion.KEPT);
  }

  PartitionEdit(
      EmbeddingPartition before, RowLayout layout, InitialRows initial, PreviousVersion previous) {
    OwnedBlocks owned = previous == PreviousVersion.TAKEN ? before.owned() : OwnedBlocks.none();
    this.perBlock = layout.perBlock();
    this.ownPages = owned.pages();
    this.ownBlocks = owned.blocks();
    this.before = before;
    this.layout = layout;
    this.initial = initial;
    this.added = new AddedKeys(before.rows());
    this.pages = before.pages().clone();
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
      initial.weights(address, own(block(place)).weights(), at(place) * layout.dim());
    }
    return place;
  }

  /**
   * Reads from the row at {@code address}, if it was written. Rows of a mini-batch are anywhere in
   * memory: the processor fetches several at once if they are read one right after the other.
   */
  void touch(long address) {
    long row = before.rows().row(address);
    RowBlock[] page = row == RowIndex.ABSENT ? null : pages[page(row)];
    RowBlock block = page == null ? null : page[block(row) % EmbeddingPartition.PAGE];
    if (block != null) {
      touched += block.touch(at(row), perBlock);
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
    own(block(place)).copyRow(block, from, at(place), layout);
  }

  /** Makes row {@code at} of a block what it was before its first update. */
  void reset(int number, int at) {
    long address = before.rows().address((long) number * layout.perBlock() + at);
    fresh = fresh == null ? RowBlock.blank(layout) : fresh;
    own(number).copyRow(fresh, 0, at, layout);
    initial.weights(address, own(number).weights(), at * layout.dim());
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
    return Math.toIntExact(row / perBlock);
  }

  private int at(long row) {
    return (int) (row % perBlock);
  }

  /** Returns block {@code number} for writing. */
  RowBlock own(int number) {
    RowBlock[] page = ownPage(number / EmbeddingPartition.PAGE);
    int at = number % EmbeddingPartition.PAGE;
    if (!ownBlocks.get(number)) {
      ownBlocks.set(number);
      page[at] = page[at] == null ? blank(number) : page[at].copy(layout.storage());
    }
    return page[at];
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

  /** Returns the new version. The edit must not be used afterwards. */
  EmbeddingPartition done(List<RowRequest> requests) {
    RowIndex rows = added.index();
    int length = EmbeddingPartition.pages(layout.blocks(rows.size()));
    RowBlock[][] exact = length == pages.length ? pages : Arrays.copyOf(pages, length);
    return new EmbeddingPartition(layout, before.index(), rows, exact, requests, bytes)
        .with(before.evicted())
        .withCountsOf(before)
        .withOwned(new OwnedBlocks(ownPages, ownBlocks));
  }
}
