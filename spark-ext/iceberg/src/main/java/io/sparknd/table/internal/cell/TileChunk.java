/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Updates of some rows, which are reduced in tiles together. */
final class TileChunk {
  private final TileFormat format;
  private final CellTarget target;
  private final Cells values;
  private final BitSet late;
  private final List<Row> rows = new ArrayList<>();

  /** Partial results of the tiles that updates change. */
  private final List<Cells> changed;

  private final Cells updates;
  private int[] tileOfUpdate = new int[64];
  private int updateCount;
  private int tileCount;

  TileChunk(TileFormat format, CellTarget target, CellUpdates all) {
    this.format = format;
    this.target = target;
    this.values = all.values();
    this.late = all.late();
    this.changed = format.reduction().allocate(0); // slices may be large
    this.updates = format.reduction().type().allocate(0);
  }

  /**
   * A row and its tiles after the updates.
   *
   * @param tiles ascending
   * @param storedAt index of each tile among the stored ones; negative if it is not stored
   * @param changedAt number of each tile in {@link #changed}; -1 if no update changes it
   */
  private record Row(
      int slot,
      long[] tiles,
      int[] storedAt,
      int[] changedAt,
      List<TileValues> stored,
      boolean areEvicted) {}

  boolean hasRoom() {
    return rows.size() < format.rowsAtOnce();
  }

  /** Adds the updates of one row, {@code order[from]} to {@code order[to - 1]}. */
  void add(int slot, Cells times, int[] order, int from, int to) {
    long[] tileOf = new long[to - from];
    for (int i = from; i < to; i++) {
      tileOf[i - from] = tile(slot, TileTimes.micros(times, order[i]));
    }
    StoredTiles before = stored(slot);
    long firstStored = firstKept(before.tiles());
    Row row = row(slot, before, distinct(tileOf));
    rows.add(row);
    for (int i = from; i < to; i++) {
      int tile = Arrays.binarySearch(row.tiles(), tileOf[i - from]);
      if (tile >= 0) { // otherwise it is evicted
        append(order[i], row.changedAt()[tile]);
      } else if (tileOf[i - from] < firstStored) {
        late.set(order[i]);
      }
    }
  }

  /**
   * Returns the first tile that stored ones have not evicted; the least number if there are none.
   */
  private long firstKept(long[] stored) {
    return stored.length == 0 ? Long.MIN_VALUE : format.firstKept(stored[stored.length - 1]);
  }

  private long tile(int slot, long micros) {
    if (!format.times().hasTile(micros, format.longest())) {
      Instant time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      throw new CellException(slot, "its time " + time + " is too far from 1970 for windows");
    }
    return format.times().tile(micros);
  }

  private static long[] distinct(long[] tiles) {
    long[] sorted = tiles.clone();
    Arrays.sort(sorted);
    int count = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[count++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, count);
  }

  private void append(int update, int tile) {
    if (updateCount == tileOfUpdate.length) {
      tileOfUpdate = Arrays.copyOf(tileOfUpdate, 2 * updateCount);
    }
    updates.grow(updateCount + 1);
    updates.copy(updateCount, values, update);
    tileOfUpdate[updateCount++] = tile;
  }

  /**
   * Merges the tiles of a row.
   *
   * @param touched the tiles of its updates, ascending
   */
  private Row row(int slot, StoredTiles before, long[] touched) {
    long[] stored = before.tiles();
    long latest = touched[touched.length - 1];
    if (stored.length > 0) {
      latest = Math.max(latest, stored[stored.length - 1]);
    }
    long first = format.firstKept(latest);
    int s = TileTimes.firstIndex(stored, first);
    int t = TileTimes.firstIndex(touched, first);
    boolean areEvicted = before.areEvicted() || s > 0 || t > 0;
    int most = stored.length - s + touched.length - t;
    long[] tiles = new long[most];
    int[] storedAt = new int[most];
    int[] changedAt = new int[most];
    int count = 0;
    int until = t == touched.length ? stored.length : TileTimes.firstIndex(stored, touched[t]);
    for (; s < until; s++) { // mostly all
      tiles[count] = stored[s];
      storedAt[count] = s;
      changedAt[count++] = -1;
    }
    while (s < stored.length || t < touched.length) {
      boolean isStored = t == touched.length || s < stored.length && stored[s] <= touched[t];
      boolean isTouched = s == stored.length || t < touched.length && touched[t] <= stored[s];
      tiles[count] = isStored ? stored[s] : touched[t];
      storedAt[count] = isStored ? s : -1;
      changedAt[count++] = isTouched ? change(before.partials(), isStored ? s : -1) : -1;
      s += isStored ? 1 : 0;
      t += isTouched ? 1 : 0;
    }
    return new Row(
        slot, Arrays.copyOf(tiles, count), storedAt, changedAt, before.partials(), areEvicted);
  }

  private StoredTiles stored(int slot) {
    List<@Nullable Object> state = new ArrayList<>();
    target.state().forEach(cells -> state.add(cells.value(slot)));
    StoredTiles stored = StoredTiles.of(format, state);
    String problem = stored.problem();
    if (problem != null) { // SQL changed one of the columns
      throw new CellException(slot, problem);
    }
    return stored;
  }

  /** Returns the number of a tile that updates change, with its stored partial results. */
  private int change(List<TileValues> partials, int stored) {
    for (int p = 0; p < changed.size(); p++) {
      changed.get(p).grow(tileCount + 1);
      if (stored >= 0) {
        partials.get(p).read(stored, stored + 1, changed.get(p), tileCount);
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
      long[] tiles = rows.get(i).tiles();
      long latest = tiles[tiles.length - 1];
      List<TileValues> partials = write(rows.get(i));
      windows.add(
          i,
          partials,
          TileTimes.firstIndex(tiles, format.times().before(latest, format.longest() - 1)),
          tiles.length);
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
  private List<TileValues> write(Row row) {
    List<Cells> state = target.state();
    state.get(0).set(row.slot(), format.times().runs(row.tiles()));
    List<TileValues> partials = new ArrayList<>();
    for (int p = 0; p < changed.size(); p++) {
      TileValues values = values(row, p);
      state.get(1 + p).set(row.slot(), values.stored());
      partials.add(values);
    }
    state.get(state.size() - 1).set(row.slot(), row.areEvicted());
    return partials;
  }

  private TileValues values(Row row, int partial) {
    int count = row.tiles().length;
    CellType type = format.reduction().partials().get(partial);
    if (!TileValues.areStorable(type, count)) {
      throw new CellException(
          row.slot(),
          "its "
              + count
              + " tiles of "
              + type.text()
              + " exceed one value, which holds 2 GiB: declare longer tiles or shorter windows");
    }
    TileValues.Builder values = TileValues.builder(type, count);
    int i = 0;
    while (i < count) {
      if (row.changedAt()[i] >= 0) {
        values.append(changed.get(partial), row.changedAt()[i]);
        i++;
      } else {
        int end = i + 1;
        while (end < count && row.changedAt()[end] < 0) {
          end++;
        }
        int from = row.storedAt()[i]; // stored tiles between changed ones follow each other
        values.append(row.stored().get(partial), from, from + end - i);
        i = end;
      }
    }
    return values.build();
  }
}
