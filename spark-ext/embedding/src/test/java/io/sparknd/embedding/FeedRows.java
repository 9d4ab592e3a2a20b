/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.internal.step.BatchShard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Reads the rows of mini-batches as text. */
final class FeedRows {
  private FeedRows() {}

  /**
   * Returns the rows of the parts of one step, by shard, each {@code [label, dense, ids, lists]},
   * without a label if there is none.
   */
  static List<List<String>> of(
      SparkSession spark, Batches<FeatureBatch> batches, long step, int lists) {
    JavaRDD<BatchShard<FeatureBatch>> shards =
        batches.shards(JavaSparkContext.fromSparkContext(spark.sparkContext()));
    return shards.map(shard -> rows(shard.batch(step), lists)).collect();
  }

  /** Returns the rows of the parts of the first {@code count} steps of a shard. */
  static List<List<String>> of(BatchShard<FeatureBatch> shard, int count, int lists) {
    List<List<String>> steps = new ArrayList<>();
    for (int step = 0; step < count; step++) {
      steps.add(rows(shard.batch(step), lists));
    }
    return steps;
  }

  private static List<String> rows(FeatureBatch batch, int lists) {
    List<String> rows = new ArrayList<>();
    int dense = batch.rows() == 0 ? 0 : batch.dense().length / batch.rows();
    for (int i = 0; i < batch.rows(); i++) {
      List<Object> values = new ArrayList<>();
      if (batch.labels().length > 0) {
        values.add(batch.labels()[i]);
      }
      for (int j = 0; j < dense; j++) {
        values.add(batch.dense()[i * dense + j]);
      }
      for (int j = 0; j < batch.categorical(); j++) {
        values.add(batch.ids()[batch.position(i, j)]);
      }
      for (int j = 0; j < lists; j++) {
        int[] offsets = batch.offsets(j);
        long[] list = Arrays.copyOfRange(batch.ids(), offsets[i], offsets[i + 1]);
        values.add(Arrays.toString(list));
      }
      rows.add(values.toString());
    }
    return rows;
  }
}
