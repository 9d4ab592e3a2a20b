/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.embedding.optimizer.Optimizer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that lost executors and failing tasks change no bit of a model, with Kryo. */
@Tag("slow")
class ModelLossTest {
  private static final Bilinear STEP = new Bilinear(400, 20);
  private static final int SHARDS = 3;
  private static final int STEPS = 24;

  @TempDir private Path directory;

  /** Fails the first attempt of every third task, after it has added gradients. */
  private record Failing(Bilinear step) implements ModelStep<long[]> {
    @Override
    public Map<String, long[]> ids(long[] batch) {
      return step.ids(batch);
    }

    @Override
    public Loss step(long[] batch, ModelRows rows) {
      Loss loss = step.step(batch, rows);
      TaskContext task = TaskContext.get();
      if (task.attemptNumber() == 0 && task.taskAttemptId() % 3 == 0) {
        throw new IllegalStateException("first attempt of task " + task.taskAttemptId());
      }
      return loss;
    }
  }

  @Test
  void lostExecutorsAndFailingTasksChangeNoBit() throws Exception {
    ModelSpec spec = STEP.spec(Optimizer.adam(0.01), 5);
    String kryo = "org.apache.spark.serializer.KryoSerializer";
    try (LocalCluster cluster = LocalCluster.start(Map.of("spark.serializer", kryo))) {
      cluster.session().sparkContext().setCheckpointDir(directory.resolve("cuts").toString());
      Iterator<Long> processes = cluster.processes().values().iterator();
      AtomicInteger removed = new AtomicInteger();
      cluster
          .session()
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
                  removed.incrementAndGet();
                }
              });
      TrainedModel trained =
          EmbeddingModel.create(cluster.session(), spec)
              .train(Batches.generated(SHARDS, STEP::batch), new Failing(STEP))
              .steps(STEPS)
              .checkpointEvery(3)
              .saveCheckpoints(TrainingCheckpoints.of(directory.resolve("run").toString(), 8))
              .reportTo((step, end) -> killAt(step, processes))
              .run();
      assertThat(removed).hasPositiveValue();
      NaiveModelTrainer naive = new NaiveModelTrainer(spec);
      naive.train(STEP, SHARDS, STEPS, 1);
      EmbeddingModelTest.assertSame(trained.model(), naive);
      assertThat(trained.history().steps())
          .extracting(step -> step.loss().sum())
          .isEqualTo(naive.losses);
    }
  }

  /** Kills one executor after step 7 and the other after step 15. */
  private static void killAt(TrainedStep step, Iterator<Long> processes) {
    if (step.step() % 8 == 7 && processes.hasNext()) {
      ProcessHandle.of(processes.next()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
