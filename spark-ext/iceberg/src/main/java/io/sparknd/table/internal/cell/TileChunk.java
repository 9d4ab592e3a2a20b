/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;

/** Updates of some rows, which are reduced in tiles together. */
final class TileChunk {
  private final TileFormat format;
  private final CellTarget target;
  private final Cells values;
  private final List<Row> rows = new ArrayList<>();

  /** Partial results of the tiles that updates change. */
  private final List<Cells> changed;

  private final Cells updates;
  private int[] tileOfUpdate = new int[64];
  private int updateCount;
  private int tileCount;

  TileChunk(TileFormat format, CellTarget target, Cells values) {
    this.format = format;
    this.target = target;
    this.values = values;
    this.changed = format.reduction().allocate(64);
    this.updates = format.reduction().type().allocate(64);
  }

  /**
   * A row and its tiles after the updates.
   *
   * @param tiles ascending
   * @param stored index of each tile in the stored arrays; -1 if it is not stored
   * @param changedAt number of each tile in {@link #changed}; -1 if no update changes it
   * @param partials the stored arrays
   */
  private record Row(
      int slot,
      long[] tiles,
      int[] stored,
      int[] changedAt,
      List<ArrayData> partials,
      boolean areEvicted) {}

  boolean hasRoom() {
    return rows.size() < format.rowsAtOnce();
  }

  /** Adds the updates of one row, {@code order[from]} to {@code order[to - 1]}. */
  void add(int slot, Cells times, int[] order, int from, int to) {
    long[] touched = new long[to - from];
    for (int i = from; i < to; i++) {
      touched[i - from] = format.times().tile(times, order[i]);
    }
    Row row = row(slot, touched);
    rows.add(row);
    for (int i = from; i < to; i++) {
      int tile = Arrays.binarySearch(row.tiles(), touched[i - from]);
      if (tile >= 0) { // otherwise it came too late
        append(order[i], row.changedAt()[tile]);
      }
    }
  }

  private void append(int update, int tile) {
    if (updateCount == tileOfUpdate.length) {
      tileOfUpdate = Arrays.copyOf(tileOfUpdate, 2 * updateCount);
    }
    updates.grow(updateCount + 1);
    updates.copy(updateCount, values, update);
    tileOfUpdate[updateCount++] = tile;
  }

  private Row row(int slot, long[] touched) {
    StoredTiles before = stored(slot);
    long[] stored = before.tiles();
    List<ArrayData> partials = before.partials();
    long[] sorted = LongStream.of(touched).sorted().distinct().toArray();
    long[] all = LongStream.concat(LongStream.of(stored), LongStream.of(sorted)).sorted().toArray();
    long first = format.firstKept(all[all.length - 1]);
    long[] tiles = LongStream.of(all).distinct().filter(tile -> tile >= first).toArray();
    int[] storedAt = new int[tiles.length];
    int[] changedAt = new int[tiles.length];
    for (int i = 0; i < tiles.length; i++) {
      storedAt[i] = Math.max(-1, Arrays.binarySearch(stored, tiles[i]));
      changedAt[i] = Arrays.binarySearch(sorted, tiles[i]) < 0 ? -1 : change(partials, storedAt[i]);
    }
    boolean areEvicted = all[0] < first || before.areEvicted();
    return new Row(slot, tiles, storedAt, changedAt, partials, areEvicted);
  }

  /** Returns the ordinal of the state that tells of evicted tiles. */
  private int last() {
    return target.state().size() - 1;
  }

  private StoredTiles stored(int slot) {
    List<@Nullable Object> state = new ArrayList<>();
    target.state().forEach(cells -> state.add(cells.value(slot)));
    StoredTiles stored = StoredTiles.of(format.times(), state);
    String problem = stored.problem();
    if (problem != null) { // SQL changed one of the columns
      throw new CellException(slot, problem);
    }
    return stored;
  }

  /** Returns the number of a tile that updates change, with its stored partial results. */
  private int change(List<ArrayData> partials, int stored) {
    for (int p = 0; p < changed.size(); p++) {
      changed.get(p).grow(tileCount + 1);
      if (stored >= 0) {
        changed.get(p).readElement(partials.get(p), stored, tileCount);
      }
    }
    return tileCount++;
  }

  /** Reduces the updates, and sets the rows' state and values. */
  void fold() {
    try {
      format
          .reduction()
          .update(changed, tileCount, new CellUpdates(updates, null, tileOfUpdate, updateCount));
    } catch (CellException e) {
      throw new CellException(slotOf(e.slot()), String.valueOf(e.getMessage()));
    }
    TileMerge windows = new TileMerge(format.reduction());
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      List<ArrayData> partials = write(row);
      int first = first(row.tiles());
      windows.add(i, partials, first, row.tiles().length);
    }
    setValues(windows);
  }

  /** Returns the row of a changed tile. */
  private int slotOf(int tile) {
    return rows.stream()
        .filter(row -> Arrays.stream(row.changedAt()).anyMatch(changedAt -> changedAt == tile))
        .findFirst()
        .map(Row::slot)
        .orElse(0);
  }

  /** Returns the index of the first tile of the longest window that ends with the last tile. */
  private int first(long[] tiles) {
    long least = format.firstKept(tiles[tiles.length - 1]) + 1;
    return tiles[0] < least ? 1 : 0;
  }

  private void setValues(TileMerge windows) {
    try {
      Cells merged = windows.values(rows.size());
      for (int i = 0; i < rows.size(); i++) {
        target.values().copy(rows.get(i).slot(), merged, i);
      }
    } catch (CellException e) {
      throw new CellException(rows.get(e.slot()).slot(), String.valueOf(e.getMessage()));
    }
  }

  /** Sets the state of a row, and returns its partial results. */
  private List<ArrayData> write(Row row) {
    List<Cells> state = target.state();
    state.get(0).set(row.slot(), format.times().begins(row.tiles()));
    List<ArrayData> partials = new ArrayList<>();
    for (int p = 0; p < changed.size(); p++) {
      ArrayData array = array(row, p);
      state.get(1 + p).set(row.slot(), array);
      partials.add(array);
    }
    state.get(last()).set(row.slot(), row.areEvicted());
    return partials;
  }

  private ArrayData array(Row row, int partial) {
    Cells line = format.reduction().partials().get(partial).allocate(row.tiles().length);
    @Nullable ArrayData stored =
        partial < row.partials().size() ? row.partials().get(partial) : null;
    for (int i = 0; i < row.tiles().length; i++) {
      if (row.changedAt()[i] >= 0) {
        line.copy(i, changed.get(partial), row.changedAt()[i]);
      } else if (stored != null) {
        line.readElement(stored, row.stored()[i], i);
      }
    }
    return line.array(row.tiles().length);
  }
}
