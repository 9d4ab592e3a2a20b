/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.embedding.internal.TrainingErrors;
import java.util.List;

/** Computes the gradients of a shard's parts of mini-batches. */
public record ShardSteps<B>(List<TrainedTable> tables, ShardFunction<B> function, int shard) {
  /**
   * Sends the gradients of {@code parts}.
   *
   * @param now the mini-batches of the parts
   * @param requested the rows of each table
   */
  public void learn(
      StepRange now,
      ShardParts<B> parts,
      List<? extends ShardRows> requested,
      LossAccumulator losses,
      OutboundMessages outbound) {
    for (int i = 0; i < now.count(); i++) {
      List<MiniBatchRows> rows = parts.rows(i, requested);
      LossSum loss = function.step(parts.batch(i), rows);
      if (loss == null) {
        throw TrainingErrors.noLoss(now.step(i), shard);
      }
      losses.add(now.step(i), shard, loss);
      for (int table = 0; table < tables.size(); table++) {
        tables.get(table).checkGradients(now.step(i), shard, rows.get(table));
        if (now.count() == 1) {
          outbound.gradients(i, table, rows.get(table), requested.get(table).byOwner());
        } else {
          outbound.gradients(i, table, rows.get(table));
        }
      }
    }
  }
}
