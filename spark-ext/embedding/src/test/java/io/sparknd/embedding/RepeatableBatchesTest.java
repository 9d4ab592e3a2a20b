/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests trainings that lose a partition of the mini-batches and recompute it with different rows.
 */
class RepeatableBatchesTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 4, Optimizer.adagrad(0.1))
          .withInitializer(Initializer.uniform(-1, 1, 5))
          .withPartitions(3);
  private static final AtomicInteger COMPUTED = new AtomicInteger();

  private final SparkSession spark = LocalSpark.session();
  private final JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());

  @BeforeEach
  void nothingWasComputed() {
    COMPUTED.set(0);
  }

  @Test
  void recomputedRowsInAnotherOrderGiveTheSameBatches() {
    Dataset<Row> shuffling = changing(RepeatableBatchesTest::rotated);
    try (TrainingFeed lost = feed(shuffling);
        TrainingFeed kept = feed(pairs().coalesce(1))) {
      TensorAssert.assertSameBits(
          trainAndLose(lost).table().weights().collect(),
          training(kept).run().table().weights().collect());
    }
    assertThat(COMPUTED.get()).isGreaterThan(4);
  }

  @Test
  void recomputedChunksWithOtherRowsAreAnError() {
    try (TrainingFeed feed = feed(changing(RepeatableBatchesTest::others))) {
      assertThatThrownBy(() -> trainAndLose(feed))
          .isInstanceOf(SparkNdException.class)
          .hasMessageMatching("chunk 0 of shard [01] of .*") // either task may fail first
          .hasMessageContaining("not deterministic");
    }
  }

  @Test
  void recomputedBatchesWithOtherIdsAreAnError() {
    JavaRDD<long[]> rdd =
        context
            .parallelize(List.of(0), 1)
            .flatMap(
                ignored -> {
                  long first = 10L * COMPUTED.getAndIncrement();
                  return List.of(new long[] {first, first + 1}, new long[] {first + 2, first + 3})
                      .iterator();
                });
    Pulls model = new Pulls(SPEC.rows(), 1);
    assertThatThrownBy(
            () ->
                EmbeddingTable.create(spark, SPEC)
                    .train(Batches.of(rdd), model)
                    .steps(4)
                    .checkpointEvery(2)
                    .run())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 0")
        .hasMessageContaining("shard 0")
        .hasMessageContaining("id 10");
  }

  @Test
  void recomputedBatchesWithFewerIdsAreAnError() {
    JavaRDD<long[]> rdd =
        context
            .parallelize(List.of(0), 1)
            .map(
                ignored ->
                    COMPUTED.getAndIncrement() == 0 ? new long[] {1, 2, 3, 4} : new long[] {1, 2});
    Pulls model = new Pulls(SPEC.rows(), 2);
    assertThatThrownBy(
            () ->
                EmbeddingTable.create(spark, SPEC)
                    .train(Batches.of(rdd), model)
                    .steps(4)
                    .checkpointEvery(2)
                    .run())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 0")
        .hasMessageContaining("id 3");
  }

  private static TrainingFeed feed(Dataset<Row> rows) {
    return TrainingFeed.of(rows, RowPulls.COLUMNS, FeedOptions.of(2, 3).withSeed(5));
  }

  /** Trains, and drops the chunks and the files of shuffles after step 2. */
  private TrainedEmbedding trainAndLose(TrainingFeed feed) {
    return training(feed)
        .reportTo(
            (step, end) -> {
              if (step.step() == 2) {
                FeedLoss.loseAll(feed);
              }
            })
        .run();
  }

  private Training<FeatureBatch> training(TrainingFeed feed) {
    return EmbeddingTable.create(spark, SPEC)
        .train(feed.batches(), new RowPulls(new Pulls(300, 3)))
        .checkpointEvery(2) // a job a step
        .steps(6);
  }

  private Dataset<Row> pairs() {
    return spark.sql("SELECT id * 7 % 290 AS one, id * id % 290 AS other FROM range(0, 16, 1, 2)");
  }

  /** Returns rows that change each time a partition is computed. */
  private Dataset<Row> changing(MapPartitionsFunction<Row, Row> change) {
    Dataset<Row> pairs = pairs();
    return pairs.mapPartitions(change, Encoders.row(pairs.schema()));
  }

  private static Iterator<Row> rotated(Iterator<Row> rows) {
    List<Row> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    Collections.rotate(all, COMPUTED.getAndIncrement() / 2);
    return all.iterator();
  }

  private static Iterator<Row> others(Iterator<Row> rows) {
    List<Row> all = new ArrayList<>();
    rows.forEachRemaining(row -> all.add(row));
    all.set(0, RowFactory.create(100L + COMPUTED.getAndIncrement(), 7L));
    return all.iterator();
  }
}
