/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import java.util.BitSet;
import java.util.List;

/** The next version of a partition while its rows are written: copies what it writes to, once. */
final class PartitionEdit {
  private final EmbeddingPartition before;
  private final RowLayout layout;
  private final InitialRows initial;
  private final RowBlock[][] pages;
  private final BitSet ownPages = new BitSet();
  private final BitSet ownBlocks = new BitSet();
  private long bytes;

  PartitionEdit(EmbeddingPartition before, RowLayout layout, InitialRows initial) {
    this.before = before;
    this.layout = layout;
    this.initial = initial;
    this.pages = before.pages().clone();
    this.bytes = 8L * pages.length;
  }

  /** Block {@code number}, which may be written to. */
  RowBlock own(int number) {
    RowBlock[] page = ownPage(number / EmbeddingPartition.PAGE);
    int at = number % EmbeddingPartition.PAGE;
    if (!ownBlocks.get(number)) {
      ownBlocks.set(number);
      page[at] = page[at] == null ? initial.block(number) : page[at].copy(layout.storage());
      bytes += page[at].bytes(layout.storage());
    }
    return page[at];
  }

  private RowBlock[] ownPage(int page) {
    if (!ownPages.get(page)) {
      ownPages.set(page);
      pages[page] =
          pages[page] == null ? new RowBlock[EmbeddingPartition.PAGE] : pages[page].clone();
      bytes += 8L * EmbeddingPartition.PAGE;
    }
    return pages[page];
  }

  /** The version that was written. Nothing may be written after. */
  EmbeddingPartition done(List<Ask> asks) {
    long asked = asks.stream().mapToLong(Ask::bytes).sum();
    return new EmbeddingPartition(
        layout.storage(), before.index(), before.blocks(), pages, asks, bytes + asked);
  }
}
