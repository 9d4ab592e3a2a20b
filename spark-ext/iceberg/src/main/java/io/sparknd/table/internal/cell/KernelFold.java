/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Optional;

/**
 * Reduces elements by a kernel.
 *
 * @param kernel name of the kernel provider
 */
record KernelFold(Reduction reduction, String kernel) implements CellFold {
  @Override
  public Optional<String> kernelName() {
    return Optional.of(kernel);
  }

  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    ElementCells cells = (ElementCells) target.values();
    ElementCells values = (ElementCells) updates.values();
    long[] slots = new long[updates.count()];
    int[] rows = new int[updates.count()];
    int count = 0;
    int most = 0;
    boolean areAll = values.arePresent(updates.count());
    int started = -1;
    for (int i = 0; i < updates.count(); i++) {
      int slot = updates.slots()[i];
      if (!areAll && !values.isPresent(i)) {
        continue;
      }
      if (slot != started && !cells.isPresent(slot)) {
        cells.copy(slot, values, i);
      } else {
        slots[count] = slot;
        rows[count++] = i;
        most = Math.max(most, slot);
      }
      started = slot;
    }
    if (count > 0) {
      DType dtype = cells.type().dtype();
      Storage storage = dtype.storage();
      Object[] blocks = storage.allocateBlocks(1);
      blocks[0] = cells.payload();
      SliceFold fold =
          new SliceFold(
              KernelProviders.named(kernel),
              dtype,
              Scatter.of(reduction),
              SliceBlocks.owned(storage, blocks, most + 1, cells.type().units()));
      fold.apply(slots, rows, 0, 0, count, values.payload());
      fold.finish();
    }
  }
}
