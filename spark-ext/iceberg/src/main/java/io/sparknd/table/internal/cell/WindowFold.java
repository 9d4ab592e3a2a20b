/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reduces updates in tiles of time, of which the latest are kept. */
record WindowFold(TileFormat format) implements CellFold {
  @Override
  public Optional<String> kernelName() {
    return Stream.concat(
            Stream.of(format.reduction().update()), format.reduction().merges().stream())
        .flatMap(fold -> fold.kernelName().stream())
        .findFirst();
  }

  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    Cells times = Objects.requireNonNull(updates.order());
    int[] bySlot = bySlot(updates);
    int next = 0;
    while (next < bySlot.length) {
      TileChunk chunk = new TileChunk(format, target, updates);
      while (next < bySlot.length && chunk.hasRoom()) {
        int slot = updates.slots()[bySlot[next]];
        int end = next;
        while (end < bySlot.length && updates.slots()[bySlot[end]] == slot) {
          if (!times.isPresent(bySlot[end])) {
            throw new CellException(slot, "its time is NULL");
          }
          end++;
        }
        chunk.add(slot, times, bySlot, next, end);
        next = end;
      }
      chunk.fold();
    }
  }

  /** Returns the updates that have a value by their slots, those of one slot in row order. */
  private static int[] bySlot(CellUpdates updates) {
    int most = -1;
    int present = 0;
    for (int i = 0; i < updates.count(); i++) {
      if (updates.values().isPresent(i)) {
        most = Math.max(most, updates.slots()[i]);
        present++;
      }
    }
    int[] next = new int[most + 2];
    for (int i = 0; i < updates.count(); i++) {
      if (updates.values().isPresent(i)) {
        next[updates.slots()[i] + 1]++;
      }
    }
    for (int slot = 0; slot <= most; slot++) {
      next[slot + 1] += next[slot];
    }
    int[] bySlot = new int[present];
    for (int i = 0; i < updates.count(); i++) {
      if (updates.values().isPresent(i)) {
        bySlot[next[updates.slots()[i]]++] = i;
      }
    }
    return bySlot;
  }
}
