/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a table of 1 GiB, including its optimizer state, on two executors of 512 MiB. */
@Tag("slow")
class EmbeddingLargerThanHeapTest {
  private static final long ROWS = 2L << 20;
  private static final int DIM = 64;
  private static final int SHARDS = 2;
  private static final int STEPS = 16;

  /** The rows in a shard's part of a mini-batch. Each row is trained once. */
  private static final int TAKEN = (int) (ROWS / (SHARDS * STEPS));

  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(ROWS, DIM, Optimizer.adagrad(0.1))
          .withInitializer(Initializer.uniform(-1, 1, 7))
          .withPartitions(128);

  /** A step function whose gradient depends on the row id. */
  private record Once() implements StepFunction<long[]> {
    static long[] batch(long step, int shard) {
      long first = step * SHARDS + shard;
      return LongStream.range(0, TAKEN).map(i -> i * SHARDS * STEPS + first).toArray();
    }

    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      for (int slot = 0; slot < rows.count(); slot++) {
        Arrays.fill(rows.gradients(), slot * DIM, (slot + 1) * DIM, gradient(rows.id(slot)));
      }
      return new Loss(0, batch.length);
    }
  }

  private static float gradient(long id) {
    return id % 1009 - 500;
  }

  @Test
  void everyRowIsTrained() throws Exception {
    Map<String, String> settings = new HashMap<>(LocalCluster.OPTIMIZED);
    settings.put("spark.default.parallelism", "8");
    settings.put("spark.executor.memory", "512m");
    try (LocalCluster cluster = LocalCluster.start(settings)) {
      SparkSession spark = cluster.session();
      EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
      TrainedEmbedding trained =
          table
              .train(Batches.generated(SHARDS, Once::batch), new Once())
              .steps(STEPS)
              .stepsPerJob(4)
              .run();
      assertThat(trained.table().writtenRows()).isEqualTo(ROWS);
      assertThat(cluster.bytesOnDisk()).isGreaterThan(1L << 28);
      assertRows(trained.table());
    }
  }

  /** Checks 4000 rows spread over the table. */
  private static void assertRows(EmbeddingTable table) {
    List<Long> ids = LongStream.range(0, 4000).map(i -> i * (ROWS - 1) / 3999).boxed().toList();
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    Map<Long, float[]> sums = new TreeMap<>();
    for (long id : ids) {
      float[] gradients = new float[DIM];
      Arrays.fill(gradients, gradient(id));
      sums.put(id, gradients);
    }
    naive.apply(SPEC.optimizer(), sums);
    Dataset<Row> requested = table.spark().createDataset(ids, Encoders.LONG()).toDF("id");
    for (Row row : table.lookup(Lookup.sum(), requested, LookupColumns.of("id")).collectAsList()) {
      assertThat(row.<Float>getList(1)).containsExactly(boxed(naive.weights(row.getLong(0))));
    }
  }

  private static Float[] boxed(float[] values) {
    Float[] boxed = new Float[values.length];
    Arrays.setAll(boxed, i -> values[i]);
    return boxed;
  }
}
