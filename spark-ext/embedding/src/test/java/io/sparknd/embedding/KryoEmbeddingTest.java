/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.cluster.TensorKryoRegistrator;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests embeddings on executors with Kryo, which cannot read records. */
@Tag("slow")
class KryoEmbeddingTest {
  /** So that each row is a block of its own. */
  private static final int DIM = 64;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void embeddingsWorkWithKryo(String registrationRequired) throws Exception {
    Map<String, String> settings =
        Map.of(
            "spark.serializer",
            "org.apache.spark.serializer.KryoSerializer",
            "spark.kryo.registrationRequired",
            registrationRequired,
            "spark.kryo.registrator",
            TensorKryoRegistrator.class.getName() + "," + EmbeddingKryoRegistrator.class.getName());
    try (LocalCluster cluster = LocalCluster.start(settings)) {
      SparkSession spark = cluster.session();
      String directory = folder.resolve("table").toString();
      EmbeddingSpec spec = EmbeddingSpec.of(40, DIM, Optimizer.adam(0.1)).withRowUsage();
      EmbeddingTable table = updated(EmbeddingTable.create(spark, spec), 30);
      table.save(directory);
      EmbeddingTable more = updated(table, 5);
      more.saveDelta(directory);
      EmbeddingTable loaded = EmbeddingTable.load(spark, directory);
      TensorAssert.assertSameBits(loaded.weights().collect(), more.weights().collect());
      assertThat(loaded.nearest(loaded.toDataset(), 2, VectorMetric.DOT).count()).isEqualTo(60);
      assertThat(loaded.changesSince(table).count()).isEqualTo(5);
      assertThat(loaded.evict(RowEviction.toRows(10, EvictionOrder.LEAST_RECENT)).rows())
          .isEqualTo(20);
      assertThat(
              EvaluationMetric.auc()
                  .of(spark.sql("SELECT id % 2 AS label, double(id) AS score FROM range(20)")))
          .isEqualTo(0.55);
      Dataset<Row> pairs = spark.range(50).selectExpr("id % 40 AS one", "id * id % 40 AS other");
      try (TrainingFeed feed = TrainingFeed.of(pairs, RowPulls.COLUMNS, FeedOptions.of(2, 10))) {
        TrainedEmbedding trained =
            table.train(feed.batches(), new RowPulls(new Pulls(40, 3))).steps(2).run();
        assertThat(trained.steps().get(1).loss().examples()).isPositive();
      }
    }
  }

  private static EmbeddingTable updated(EmbeddingTable table, int rows) {
    return table.apply(
        table
            .spark()
            .range(rows)
            .selectExpr("id", "array_repeat(float(id + 1), " + DIM + ") AS gradient"),
        TensorColumns.of("gradient", "id"));
  }
}
