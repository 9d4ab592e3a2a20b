/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The slices of one partition of a table. A block is read at the first lookup of one of its slices.
 * A slice is a part of a row, one row, or several consecutive rows.
 */
final class TablePartitionSlices implements SliceLookup {
  /** Limit of the LRU cache of blocks, in bytes of their data files. */
  private static final long MAX_BYTES = 256L << 20;

  private final StoredTensor tensor;
  private final Map<Long, BlockFiles> files;
  private final int partition;
  private final Pieces pieces;
  private final int rowUnits;
  private final Object fill;
  private final LinkedHashMap<Long, BlockRows> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long last = -1;
  private Object array;
  private int unit;

  /**
   * Creates a lookup that has read no block yet.
   *
   * @param pieces assignment of slices to partitions; each slice is one piece
   */
  TablePartitionSlices(
      StoredTensor tensor, Map<Long, BlockFiles> files, int partition, Pieces pieces) {
    this.tensor = tensor;
    this.files = files;
    this.partition = partition;
    this.pieces = pieces;
    this.rowUnits = tensor.format().rows().units();
    int most = Math.max(rowUnits, pieces.units());
    this.fill = tensor.format().rows().dtype().storage().allocate(most);
    fill(fill, most);
    this.array = fill;
  }

  private void fill(Object target, int end) {
    RepeatedElement.into(target, end, tensor.format().fill());
  }

  @Override
  public boolean areEmpty() {
    return pieces.units() == 0;
  }

  @Override
  public Object array(long slice) {
    find(slice);
    return array;
  }

  @Override
  public int unit(long slice) {
    find(slice);
    return unit;
  }

  private void find(long slice) {
    if (slice == last) {
      return;
    }
    long ordinal = slice / pieces.perBlock();
    long inBlock = slice - ordinal * pieces.perBlock();
    BlockRows block = block(ordinal * pieces.partitions() + partition);
    if (pieces.units() <= rowUnits) {
      int perRow = rowUnits / pieces.units();
      findInRow(block, inBlock / perRow, (int) (inBlock % perRow) * pieces.units());
    } else {
      assemble(block, inBlock, pieces.units() / rowUnits);
    }
    last = slice;
  }

  private void findInRow(BlockRows block, long row, int at) {
    int slot = block.slot(row);
    array = slot < 0 ? fill : block.payload();
    unit = slot < 0 ? at : slot * rowUnits + at;
  }

  private void assemble(BlockRows block, long slice, int rows) {
    Object whole = tensor.format().rows().dtype().storage().allocate(pieces.units());
    fill(whole, pieces.units());
    for (int i = 0; i < rows; i++) {
      int slot = block.slot(slice * rows + i);
      if (slot >= 0) {
        System.arraycopy(block.payload(), slot * rowUnits, whole, i * rowUnits, rowUnits);
      }
    }
    array = whole;
    unit = 0;
  }

  private BlockRows block(long number) {
    BlockRows found = blocks.get(number);
    if (found != null) {
      return found;
    }
    BlockFiles stored = files.getOrDefault(number, BlockFiles.none(number));
    makeRoom(stored.bytes());
    BlockRows read = BlockRows.read(tensor, stored);
    blocks.put(number, read);
    bytes += stored.bytes();
    return read;
  }

  private void makeRoom(long needed) {
    var oldest = blocks.entrySet().iterator();
    while (bytes + needed > MAX_BYTES && oldest.hasNext()) {
      long block = oldest.next().getKey();
      bytes -= files.getOrDefault(block, BlockFiles.none(block)).bytes();
      oldest.remove();
    }
  }
}
