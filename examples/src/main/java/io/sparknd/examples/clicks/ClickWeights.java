/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.TrainingFeed;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.optimizer.Optimizer;
import org.apache.spark.sql.SparkSession;

/**
 * Logistic regression with one weight for each user and each item of a table of clicks. Arguments
 * are the name of the table and the directory for the weights.
 */
public record ClickWeights() implements StepFunction<FeatureBatch> {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    EmbeddingSpec spec = EmbeddingSpec.keyed(1, Optimizer.adagrad(0.05));
    TrainingColumns columns = TrainingColumns.label("clicked").categorical("user_id", "item_id");
    FeedOptions options = FeedOptions.of(8, 512);
    try (TrainingFeed feed = TrainingFeed.of(spark.table(args[0]), columns, options)) {
      EmbeddingTable.create(spark, spec)
          .train(feed.batches(), new ClickWeights())
          .steps(10 * feed.stepsPerEpoch())
          .run()
          .table()
          .save(args[1]);
    }
  }

  @Override
  public long[] ids(FeatureBatch batch) {
    return batch.ids();
  }

  @Override
  public Loss step(FeatureBatch batch, EmbeddingRows rows) {
    double loss = 0;
    for (int i = 0; i < batch.rows(); i++) {
      int user = rows.slot(batch.position(i, 0));
      int item = rows.slot(batch.position(i, 1));
      double score = rows.values()[user] + rows.values()[item];
      double error = 1 / (1 + StrictMath.exp(-score)) - batch.labels()[i];
      rows.gradients()[user] += (float) error;
      rows.gradients()[item] += (float) error;
      loss += StrictMath.log1p(StrictMath.exp(score)) - batch.labels()[i] * score;
    }
    return new Loss(loss, batch.rows());
  }
}
