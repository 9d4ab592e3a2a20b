/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.spi.KernelProvider;
import java.util.ArrayList;
import java.util.List;

/** Updates that are kept until all are known, so that only rows that they name are read. */
final class HeldUpdates implements BlockUpdates {
  private final CommitScatters scatters;
  private final long firstRow;
  private final List<UpdateRun> runs = new ArrayList<>();
  private long bytes;

  /**
   * Creates an empty collection.
   *
   * @param firstRow offset of the block's first row
   */
  HeldUpdates(CommitScatters scatters, long firstRow) {
    this.scatters = scatters;
    this.firstRow = firstRow;
  }

  @Override
  public void add(UpdateRun run) {
    runs.add(run);
    bytes += run.bytes();
  }

  /** Returns the approximate memory of the updates. */
  long bytes() {
    return bytes;
  }

  /** Adds the updates to others, and forgets them. */
  void moveTo(BlockUpdates others) {
    runs.forEach(others::add);
    runs.clear();
    bytes = 0;
  }

  @Override
  public TouchedRows touched() {
    TouchedRowSet named = new TouchedRowSet(scatters.parts(), scatters.perBlock());
    runs.forEach(named::add);
    return named.touched();
  }

  @Override
  public boolean needStored() {
    return scatters.readRows();
  }

  @Override
  public Object payload(TouchedRows touched, int rows) {
    Object payload = scatters.storage().allocate(rows * scatters.units());
    if (needStored()) {
      RepeatedElement.into(
          payload, touched.count() * scatters.units(), scatters.tensor().format().fill());
    }
    return payload;
  }

  @Override
  public void fold(TouchedRows touched, Object payload) {
    KernelProvider kernels = KernelProviders.named(scatters.kernel());
    UpdateFold fold = new UpdateFold(scatters, kernels, firstRow, touched, payload);
    runs.forEach(fold::apply);
    fold.finish();
  }
}
