/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;

/**
 * Applies {@link Pulls} to the rows of a query with columns of ids, {@code one} and {@code other}.
 */
record RowPulls(Pulls pulls) implements StepFunction<FeatureBatch> {
  static final TrainingColumns COLUMNS =
      TrainingColumns.unlabeled().categorical(KeySpace.numbered(0), "one", "other");

  @Override
  public long[] ids(FeatureBatch batch) {
    return batch.ids();
  }

  @Override
  public Loss step(FeatureBatch batch, EmbeddingRows got) {
    return pulls.step(batch.ids(), got);
  }
}
