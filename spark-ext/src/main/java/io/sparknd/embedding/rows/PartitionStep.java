/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.RowUpdate;
import io.sparknd.tensor.DType;
import java.util.ArrayList;
import java.util.List;

/** Steps of the optimizer on one partition: mini-batches one after the other. */
public final class PartitionStep {
  private final RowLayout layout;
  private final Optimizer optimizer;
  private final PartitionEdit edit;
  private final GradientSums sums;
  private final float[] row;
  private final List<Ask> asks = new ArrayList<>();

  public PartitionStep(EmbeddingPartition before, RowLayout layout, Ids ids, Optimizer optimizer) {
    this.layout = layout;
    this.optimizer = optimizer;
    this.edit = new PartitionEdit(before, layout, new InitialRows(layout, ids, before.index()));
    this.sums = new GradientSums(layout.dim());
    this.row = layout.dtype() == DType.FLOAT32 ? null : new float[layout.dim()];
  }

  /** Adds gradients, float32, of the mini-batch that the next {@link #apply} ends. */
  public void add(UpdateBatch gradients) {
    sums.add(gradients);
  }

  /** Remembers who wants which rows of the version that is made. */
  public void ask(Ask ask) {
    asks.add(ask);
  }

  /**
   * Updates every row that has a gradient, once.
   *
   * @param step counted from 0 since the table was made
   */
  public void apply(long step) {
    RowUpdate update = optimizer.update(step, layout.dim());
    for (int number = 0; number < sums.count(); number++) {
      apply(update, sums.address(number), number * layout.dim());
    }
    sums.clear();
  }

  private void apply(RowUpdate update, long address, int gradient) {
    long number = edit.row(address);
    RowBlock block = edit.own((int) (number / layout.perBlock()));
    int at = (int) (number % layout.perBlock());
    if (row == null) {
      float[] weights = (float[]) block.weights();
      update.apply(weights, at * layout.dim(), block.state(), at, sums.sums(), gradient);
      return;
    }
    short[] halves = (short[]) block.weights();
    int first = at * layout.dim();
    Halves.widen(layout.dtype(), halves, first, row, 0, layout.dim());
    update.apply(row, 0, block.state(), at, sums.sums(), gradient);
    Halves.narrow(layout.dtype(), row, 0, halves, first, layout.dim());
  }

  /** The version that the steps made. */
  public EmbeddingPartition done() {
    return edit.done(List.copyOf(asks));
  }
}
