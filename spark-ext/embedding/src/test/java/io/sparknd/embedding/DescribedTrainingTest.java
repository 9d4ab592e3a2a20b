/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.JobDescriptions;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.optimizer.Optimizer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what Spark's UI says of the jobs of embedding tables. */
class DescribedTrainingTest {
  private static final Pulls MODEL = new Pulls(300, 40);

  private final SparkSession spark = LocalSpark.session();

  @TempDir Path folder;

  @Test
  void jobsHaveTheTableAndTheCall() throws Exception {
    EmbeddingSpec spec = EmbeddingSpec.of(300, 2, Optimizer.sgd(0.1)).withPartitions(2);
    EmbeddingTable table = EmbeddingTable.create(spark, spec);
    Dataset<Row> gradients = spark.range(4).selectExpr("id", "array(1F, 2F) AS value");
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("apply", () -> table.apply(gradients, TensorColumns.of("value", "id")));
    calls.put("save", () -> table.save(folder.resolve("saved").toString()));
    calls.put(
        "training", () -> table.train(Batches.generated(2, MODEL::batch), MODEL).steps(3).run());
    try (JobDescriptions jobs = JobDescriptions.of(spark.sparkContext())) {
      for (Map.Entry<String, Runnable> call : calls.entrySet()) {
        assertThat(jobs.of(call.getValue()))
            .containsOnly("float32[300, 2] in 2 partitions: " + call.getKey());
      }
    }
  }
}
