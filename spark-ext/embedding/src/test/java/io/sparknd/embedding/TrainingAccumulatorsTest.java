/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Tests what Spark keeps of the accumulators of a training. */
class TrainingAccumulatorsTest {
  private static final int SHARDS = 2;
  private static final Pulls MODEL = new Pulls(300, 40);

  private final SparkSession spark = LocalSpark.session();

  /** Spark keeps the values of named ones for each task, and computes them twice as it ends. */
  @Test
  void tasksOfATrainingHaveNoNamedAccumulatorsOfTheirLosses() throws Exception {
    List<String> names = new CopyOnWriteArrayList<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            CollectionConverters.asJava(end.taskInfo().accumulables())
                .forEach(each -> names.add(each.name().getOrElse(() -> "")));
          }
        };
    spark.sparkContext().addSparkListener(listener);
    // one partition for two shards: shuffles, as on a cluster
    EmbeddingSpec spec = EmbeddingSpec.of(300, 8, Optimizer.sgd(0.1)).withPartitions(1);
    try (EmbeddingTable table = EmbeddingTable.create(spark, spec)) {
      TrainedEmbedding trained =
          table.train(Batches.generated(SHARDS, MODEL::batch), MODEL).steps(3).run();
      assertThat(trained.steps()).allMatch(step -> step.loss().examples() == SHARDS * 40);
      trained.table().close();
    } finally {
      spark.sparkContext().listenerBus().waitUntilEmpty();
      spark.sparkContext().removeSparkListener(listener);
    }
    assertThat(names).isNotEmpty().noneMatch(name -> name.startsWith("sparknd"));
  }
}
