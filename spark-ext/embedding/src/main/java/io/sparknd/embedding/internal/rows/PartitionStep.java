/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowUpdate;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies optimizer steps to one partition, one mini-batch after the other. */
public final class PartitionStep {
  private final RowLayout layout;
  private final int dim;
  private final int perBlock;
  private final RowDirectory directory;
  private final int partition;
  private final Optimizer optimizer;
  private final BadGradients badGradients;
  private final PartitionEdit edit;
  private final GradientMerge gradients;
  private final GradientWindow window = new GradientWindow();
  private final float @Nullable [] row;
  private final StateRow state;
  private final UpdatedWindow updated;
  private final @Nullable CandidateEdit candidates;
  private final @Nullable FilterEdit filter;
  private final List<RowRequest> requests = new ArrayList<>();

  /**
   * Creates the steps of a partition.
   *
   * @param gradientBytes most bytes of the gradients of a mini-batch that are kept as they arrived
   * @throws io.sparknd.tensor.SparkNdException if the optimizer has other slots than the layout
   */
  public PartitionStep(
      EmbeddingPartition before,
      RowLayout layout,
      RowDirectory directory,
      Optimizer optimizer,
      BadGradients badGradients,
      PreviousVersion previous,
      long gradientBytes) {
    checkSlots(layout, optimizer);
    this.layout = layout;
    this.dim = layout.dim();
    this.perBlock = layout.perBlock();
    this.directory = directory;
    this.partition = before.index();
    this.badGradients = badGradients;
    this.optimizer = optimizer;
    this.edit =
        new PartitionEdit(
            before, layout, new InitialRows(layout, directory, before.index()), previous);
    this.gradients = new GradientMerge(layout.dim(), directory, gradientBytes);
    this.row = layout.dtype() == DType.FLOAT32 ? null : new float[layout.dim()];
    this.state = new StateRow(layout);
    this.updated = new UpdatedWindow(layout, directory, partition, state, badGradients);
    this.candidates = layout.hasCandidates() ? new CandidateEdit(before, layout, directory) : null;
    this.filter = before.filter() == null ? null : new FilterEdit(before.filter());
  }

  /** With other slots than the table's, a rule would take values of other rows for its own. */
  private static void checkSlots(RowLayout layout, Optimizer optimizer) {
    List<OptimizerSlot> slots = optimizer.slots();
    if (!layout.slots().equals(slots)) {
      throw EmbeddingErrors.slotsChanged(layout.slots(), slots);
    }
  }

  /** Adds float32 gradients of the mini-batch that the next {@link #apply} completes. */
  public void add(ShuffleBatch batch) {
    gradients.add(batch);
  }

  /** Records a request for rows of the new version. */
  public void request(RowRequest request) {
    requests.add(request);
  }

  /**
   * Updates every row that has a gradient, once. Keys that are not admitted get no row.
   *
   * @param step counted from 0 since the table was created
   * @throws io.sparknd.tensor.SparkNdException if a sum of gradients, an updated weight or the
   *     optimizer's state is NaN or infinite, and {@link BadGradients} makes it an error
   */
  public void apply(long step) {
    RowUpdate update = optimizer.update(step, layout.dim());
    for (gradients.next(window); window.count() > 0; gradients.next(window)) {
      expect();
      edit.prefetch(window);
      for (int i = 0; i < window.count(); i++) {
        apply(update, step, window.address(i), window.array(i), window.offset(i));
      }
      updated.check(step);
    }
    if (filter != null) {
      filter.endStep(step);
    }
    gradients.clear();
  }

  /** Half a window in the same place is many rows. */
  private void expect() {
    if (window.isFull()) {
      int half = GradientWindow.ROWS / 2;
      edit.expect(window.address(0), window.address(half - 1));
      edit.expect(window.address(half), window.address(2 * half - 1));
    }
  }

  /** Updates the row at {@code address} by the sum at {@code sum[from ..]}. */
  private void apply(RowUpdate update, long step, long address, float[] sum, int from) {
    if (BadGradients.isFinite(sum, from, dim)) {
      if (isAdmitted(step, address)) {
        update(update, step, address, sum, from);
      }
    } else if (badGradients instanceof BadGradients.Bounded bounded) {
      float[] copy = Arrays.copyOfRange(sum, from, from + dim);
      bounded.apply(copy, 0, dim);
      if (isAdmitted(step, address)) {
        update(update, step, address, copy, 0);
      }
    } else if (badGradients instanceof BadGradients.Rejected) {
      updated.check(step); // the first bad row is reported
      throw EmbeddingErrors.badGradientSum(step, directory.id(partition, address));
    }
  }

  private boolean isAdmitted(long step, long key) {
    if (filter != null) {
      long steps = ((RowAdmission.Filtered) layout.admission()).steps();
      return edit.has(key) || filter.admits(key, steps);
    }
    return candidates == null
        || edit.has(key)
        || candidates.admits(key, step, (RowAdmission.Counted) layout.admission());
  }

  private void update(RowUpdate update, long step, long address, float[] sum, int from) {
    long number = edit.row(address);
    RowBlock block = edit.own(number);
    int at = block.at(number, perBlock);
    int first = at * dim;
    block.count(at, step);
    updated.add(address, block, at);
    if (row == null) {
      float[] weights = (float[]) block.weights();
      update.apply(weights, first, state.read(block, at), state.position(at), sum, from);
      keepState(step, address, block, at);
      return;
    }
    short[] halves = (short[]) block.weights();
    HalfRows.widen(layout.dtype(), halves, first, row, 0, dim);
    update.apply(row, 0, state.read(block, at), state.position(at), sum, from);
    keepState(step, address, block, at);
    narrow(step, address, row, halves, first);
  }

  private void keepState(long step, long address, RowBlock block, int at) {
    if (state.isCopy()) {
      state.write(block, at, directory.id(partition, address), step);
    }
  }

  private void narrow(long step, long address, float[] from, short[] halves, int first) {
    if (layout.rounding() == WeightRounding.STOCHASTIC) {
      long id = directory.id(partition, address);
      HalfFloatRows.roundStochastically(
          layout.dtype(), from, 0, halves, first, dim, HalfFloatRows.weightStream(id, step));
    } else {
      HalfRows.round(layout.dtype(), from, 0, halves, first, dim);
    }
  }

  /** Returns the version after the steps. */
  public EmbeddingPartition done() {
    EmbeddingPartition after = edit.done(List.copyOf(requests));
    if (filter != null) {
      return after.withFilter(filter.done()).withOwned(after.owned());
    }
    return candidates == null
        ? after
        : after.withCandidates(candidates.done()).withOwned(after.owned());
  }
}
