/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.scheduler.DAGScheduler;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Tests what is left of trainings whose thread is interrupted, or whose listeners fail. */
class InterruptedTrainingTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 6;
  private static final Pulls MODEL = new Pulls(300, 12);
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 8, Optimizer.adam(0.05)).withPartitions(3);

  /** The thread to interrupt, once; null for none. */
  private static final AtomicReference<Thread> driver = new AtomicReference<>();

  private final SparkSession spark = LocalSpark.session();
  private final List<String> heard = new ArrayList<>();

  /** A model that interrupts the driver in a step. */
  private record Interrupting(int step) implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      Thread running = batch.length == length(step) ? driver.getAndSet(null) : null;
      if (running != null) {
        running.interrupt();
      }
      return MODEL.step(batch, rows);
    }
  }

  @AfterEach
  void stop() {
    driver.set(null);
    Thread.interrupted();
  }

  /** Mini-batches are shorter from step to step, so that a model knows the step. */
  private static int length(long step) {
    return 2 * MODEL.examples() - 2 * (int) step;
  }

  private static long[] batch(long step, int shard) {
    return Arrays.copyOf(MODEL.batch(step, shard), length(step));
  }

  private Training<long[]> training(EmbeddingTable table, int interruptedStep) {
    return table
        .train(
            Batches.generated(SHARDS, InterruptedTrainingTest::batch),
            new Interrupting(interruptedStep))
        .steps(STEPS)
        .validate(2, version -> List.of(score(version)))
        .keepBest();
  }

  /** The first validation is the best one. */
  private static MetricValue score(EmbeddingTable version) {
    return new MetricValue("score", MetricGoal.MINIMIZE, version.steps());
  }

  private TrainingListener listener(String name, boolean failsAtEnd) {
    return new TrainingListener() {
      @Override
      public void stepped(TrainedStep step, long end) {}

      @Override
      public void ended() {
        heard.add(name);
        if (failsAtEnd) {
          throw new IllegalStateException(name + " cannot end");
        }
      }
    };
  }

  private Set<Object> persisted() {
    return Set.copyOf(
        CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs()).keySet());
  }

  private static EmbeddingTable created(SparkSession spark) {
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    table.weights().collect();
    return table;
  }

  @Test
  void anInterruptedTrainingReleasesWhatItHadAndEndsItsListeners() {
    EmbeddingTable table = created(spark);
    Set<Object> before = persisted();
    int shuffles = LocalMapOutputs.shuffles();
    driver.set(Thread.currentThread());
    Training<long[]> training =
        training(table, 4).reportTo(listener("a", false)).reportTo(listener("b", true));
    assertThatThrownBy(training::run)
        .isInstanceOf(InterruptedException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(heard).containsExactly("a", "b");
    assertThat(persisted()).isSubsetOf(before);
    assertThat(LocalMapOutputs.shuffles()).isEqualTo(shuffles);
    TensorAssert.assertSameBits(table.weights().collect(), new NaiveTrainer(SPEC).weights());
  }

  @Test
  void aListenerThatCannotEndKeepsNoOtherFromEndingAndNoVersion() {
    EmbeddingTable table = created(spark);
    Set<Object> before = persisted();
    Training<long[]> training =
        training(table, STEPS)
            .reportTo(listener("a", true))
            .reportTo(listener("b", false))
            .reportTo(listener("c", true));
    assertThatThrownBy(training::run)
        .hasMessage("a cannot end")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(heard).containsExactly("a", "b", "c");
    assertThat(persisted()).isSubsetOf(before);
  }

  /** Interrupts the thread that a job has returned to, as a client of an object store may do. */
  private static final class Interrupter extends AbstractAppender implements AutoCloseable {
    private final Logger logger = (Logger) LogManager.getLogger(DAGScheduler.class);
    private final Thread thread = Thread.currentThread();

    Interrupter() {
      super("interrupter", null, null, false, Property.EMPTY_ARRAY);
      start();
      logger.addAppender(this);
      logger.setLevel(Level.INFO);
    }

    @Override
    public void append(LogEvent event) {
      String message = event.getMessage().getFormattedMessage();
      if (Thread.currentThread() == thread && message.matches("(?s)Job .* finished.*")) {
        thread.interrupt();
      }
    }

    @Override
    public void close() {
      logger.setLevel(Level.WARN);
      logger.removeAppender(this);
    }
  }

  @Test
  void aMetricThatFailsInAnInterruptedThreadSaysWhy() {
    Dataset<Row> none =
        spark.range(9).selectExpr("double(id) AS label", "double(id) AS score").where("label < 0");
    PredictionValidation<String> validation =
        new PredictionValidation<>(
            version -> none, List.of(EvaluationMetric.rmse(), EvaluationMetric.rmse()));
    Set<Object> before = persisted();
    try (Interrupter job = new Interrupter()) {
      assertThatThrownBy(() -> validation.evaluate("any"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("there are none");
    }
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(persisted()).isSubsetOf(before);
  }
}
