/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The live rows of a block in memory. */
final class BlockRows {
  private final SortedRows sorted;
  private final Object payload;
  private final RowLineage lineage;
  private final AdditionalColumns additional;

  private BlockRows(
      SortedRows sorted, Object payload, RowLineage lineage, AdditionalColumns additional) {
    this.sorted = sorted;
    this.payload = payload;
    this.lineage = lineage;
    this.additional = additional;
  }

  /** Reads values without lineage. */
  static BlockRows read(StoredTensor tensor, BlockFiles block) {
    return read(tensor, block, Contents.VALUES);
  }

  /** Reads rows to be rewritten: values, lineage if the table has it, and columns of others. */
  static BlockRows toRewrite(StoredTensor tensor, BlockFiles block) {
    return read(tensor, block, Contents.ALL);
  }

  private enum Contents {
    VALUES,
    ALL
  }

  private static BlockRows read(StoredTensor tensor, BlockFiles block, Contents contents) {
    long perBlock = tensor.format().perBlock();
    long firstRow = block.block() * perBlock;
    List<OpenFile> open = new ArrayList<>();
    try {
      for (StoredFile file : block.files()) {
        open.add(OpenFile.open(tensor, file, firstRow, perBlock));
      }
      return read(tensor, open, firstRow, contents);
    } finally {
      open.forEach(OpenFile::close);
    }
  }

  private static BlockRows read(
      StoredTensor tensor, List<OpenFile> files, long firstRow, Contents contents) {
    int units = tensor.format().rows().units();
    long count = files.stream().mapToLong(file -> file.rows().length).sum();
    if (count * units > Storage.MAX_LENGTH) {
      throw TableErrors.blockTooLarge(tensor.name(), count, tensor.format().rowsPerBlock());
    }
    Object payload = tensor.format().rows().dtype().storage().allocate((int) count * units);
    SortedRows all = SortedRows.of(new long[0], 0);
    RowLineage lineage = RowLineage.inherited(contents == Contents.VALUES ? 0 : (int) count);
    AdditionalColumns additional =
        AdditionalColumns.of(tensor, contents == Contents.VALUES ? 0 : (int) count);
    int next = 0;
    for (OpenFile file : files) {
      int first = next;
      int[] slots = new int[file.rows().length];
      Arrays.setAll(slots, i -> first + i);
      file.values(file.positions(), slots, slots.length, payload);
      all = all.mergedWith(SortedRows.of(file.rows(), first));
      if (contents == Contents.ALL) {
        file.readAdditional(file.positions(), slots, slots.length, additional);
      }
      if (contents == Contents.ALL && tensor.keepsLineage()) {
        RowLineage own = file.lineage();
        System.arraycopy(own.ids(), 0, lineage.ids(), first, slots.length);
        System.arraycopy(own.sequences(), 0, lineage.sequences(), first, slots.length);
      }
      next += slots.length;
      file.rejectRepeated(all, firstRow);
    }
    return new BlockRows(all, payload, lineage, additional);
  }

  /**
   * Returns the row numbers in the block, ascending, with the slots of their values in {@link
   * #payload}.
   */
  SortedRows sorted() {
    return sorted;
  }

  Object payload() {
    return payload;
  }

  /** Returns the lineage by slot; empty if it was not read. */
  RowLineage lineage() {
    return lineage;
  }

  /** Returns columns of others by slot; only if the rows were read to be rewritten. */
  AdditionalColumns additional() {
    return additional;
  }

  /** Returns the slot of a row in {@link #payload}; -1 if the row was never written. */
  int slot(long row) {
    int at = Arrays.binarySearch(sorted.rows(), row);
    return at < 0 ? -1 : sorted.slots()[at];
  }
}
