/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerRule;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowRule;
import io.sparknd.oracle.TensorAssert;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests in local mode, where trainings update rows in place, that repeated tasks, lost shuffle
 * files and lack of memory do not change the bits of the weights.
 */
@Tag("slow")
class LocalTrainingLossTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 8;
  private static final Pulls MODEL = new Pulls(2000, 300);

  /** The task and step of which some rows are updated when it is interrupted. */
  private static final int INTERRUPTED = 3;

  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(2000, 8, Optimizer.custom(0.1, new Interrupting()))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withPartitions(3);

  private static final AtomicInteger interruptions = new AtomicInteger();
  private static volatile Interruption interruption = Interruption.NONE;

  /** A rule that interrupts its task in the middle of a step. */
  private record Interrupting() implements OptimizerRule {
    @Override
    public String name() {
      return "interrupting";
    }

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(OptimizerSlot.element("sum", 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      AtomicInteger rows = new AtomicInteger();
      return (weights, state, gradient) -> {
        TaskContext task = TaskContext.get();
        if (task != null && step == INTERRUPTED && rows.incrementAndGet() == 20) {
          interruption.interrupt(task);
        }
        for (int i = 0; i < weights.length; i++) {
          state[0][i] += gradient[i];
          weights[i] -= (float) rate * (gradient[i] + state[0][i] / 16);
        }
      };
    }
  }

  private enum Interruption {
    NONE {
      @Override
      void interrupt(TaskContext task) {}
    },
    FAILURE {
      @Override
      void interrupt(TaskContext task) {
        if (task.attemptNumber() == 0) {
          interruptions.incrementAndGet();
          throw new IllegalStateException("first attempt");
        }
      }
    },
    /** Spark runs the task again, whatever the number of attempts. */
    KILL {
      @Override
      void interrupt(TaskContext task) {
        if (task.attemptNumber() == 0) {
          interruptions.incrementAndGet();
          SparkContext.getOrCreate().killTaskAttempt(task.taskAttemptId(), true, "a test");
          try {
            Thread.sleep(60_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    };

    abstract void interrupt(TaskContext task);
  }

  @AfterEach
  void stop() {
    interruption = Interruption.NONE;
    SparkSession.builder().master("local[2]").getOrCreate().stop();
  }

  private static SparkSession session(
      String master, Interruption inSteps, Map<String, String> settings) {
    SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", false)
        .getOrCreate()
        .stop();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(master)
            .appName("sparknd-tests")
            .config("spark.ui.enabled", false)
            .config("spark.default.parallelism", 2);
    settings.forEach(builder::config);
    interruptions.set(0);
    interruption = inSteps;
    return builder.getOrCreate();
  }

  private static Training<long[]> training(EmbeddingTable table, int jobsPerCut) {
    return table
        .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
        .steps(STEPS)
        .checkpointEvery(jobsPerCut);
  }

  private static void assertTrained(EmbeddingTable table) {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    TensorAssert.assertSameBits(table.weights().collect(), naive.weights());
  }

  @Test
  void tasksThatAreRepeatedWithinAStepChangeNoBit() {
    SparkSession spark = session("local[2,3]", Interruption.FAILURE, Map.of());
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    assertTrained(training(table, 2).run().table());
    assertThat(interruptions).hasValue(3);
  }

  @Test
  void aTrainingWhoseOwnerFailsWithinAStepIsRepeatedFromItsTable() {
    SparkSession spark = session("local[2]", Interruption.FAILURE, Map.of());
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(training(table, 2)::run).hasMessageContaining("first attempt");
    }
    interruption = Interruption.NONE;
    assertTrained(training(table, 2).run().table());
  }

  /** The versions that were updated in place are computed again from the table. */
  @Test
  void aTaskThatIsKilledWithinAStepChangesNoBit() {
    SparkSession spark = session("local[2]", Interruption.KILL, Map.of());
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    assertTrained(training(table, 100).run().table());
    assertThat(interruptions.get()).isPositive();
  }

  /** Messages are in memory if every job is cut off: the next attempts read the same ones. */
  @Test
  void tasksThatAreRepeatedReadTheMessagesInMemoryAgain() {
    SparkSession spark = session("local[2,3]", Interruption.FAILURE, Map.of());
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    assertTrained(training(table, 1).run().table());
    assertThat(interruptions).hasValue(3);
    assertThat(LocalMapOutputs.shuffles()).isZero();
  }

  /** A model whose shards are killed at a step, when they have read their rows from messages. */
  private record KilledShards() implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      if (LocalMapOutputs.shuffles() > 0 && interruptions.get() < SHARDS) {
        Interruption.KILL.interrupt(TaskContext.get());
      }
      return MODEL.step(batch, rows);
    }
  }

  @Test
  void shardsThatAreKilledWithinAStepChangeNoBit() {
    SparkSession spark = session("local[2]", Interruption.NONE, Map.of());
    // fewer partitions than shards: every step is a job
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC.withPartitions(1));
    EmbeddingTable trained =
        table
            .train(Batches.generated(SHARDS, MODEL::batch), new KilledShards())
            .steps(STEPS)
            .checkpointEvery(1)
            .run()
            .table();
    assertTrained(trained);
    assertThat(interruptions).hasPositiveValue();
    assertThat(LocalMapOutputs.shuffles()).isZero();
  }

  /** What a killed task took is lost where every job is cut off from those before it. */
  @ParameterizedTest
  @CsvSource({"1, Checkpoint block", "3, another task of this job was killed"})
  void aTrainingFailsIfATaskIsKilledAndTheLineageIsCut(int partitions, String message) {
    SparkSession spark = session("local[2]", Interruption.KILL, Map.of());
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC.withPartitions(partitions));
    assertThatThrownBy(training(table, 1)::run).hasStackTraceContaining(message);
    TensorAssert.assertSameBits(table.weights().collect(), new NaiveTrainer(SPEC).weights());
    interruption = Interruption.NONE;
    assertTrained(training(table, 1).run().table());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void lostShuffleFilesChangeNoBit(int jobsPerCut) {
    SparkSession spark =
        session("local[2]", Interruption.NONE, Map.of("spark.shuffle.io.retryWait", "10ms"));
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    AtomicInteger deleted = new AtomicInteger();
    TrainingListener deleting =
        (step, end) -> deleted.addAndGet(step.step() == 4 ? deleteShuffleFiles() : 0);
    boolean completed = false;
    try {
      assertTrained(training(table, jobsPerCut).reportTo(deleting).run().table());
      completed = true;
    } catch (RuntimeException e) { // an assertion is none
      assertThat(e).hasStackTraceContaining("Checkpoint block");
    }
    // cut at every job, only the first messages are in files, until Spark's cleaner deletes them
    assertThat(deleted.get() > 0 || jobsPerCut == 1).as("files deleted").isTrue();
    assertThat(completed || jobsPerCut < 100).as("completed").isTrue();
    assertTrained(training(table, jobsPerCut).run().table());
  }

  private static int deleteShuffleFiles() {
    List<File> files =
        scala.jdk.javaapi.CollectionConverters.asJava(
                SparkEnv.get().blockManager().diskBlockManager().getAllFiles())
            .stream()
            .filter(file -> file.getName().startsWith("shuffle_"))
            .toList();
    files.forEach(File::delete);
    return files.size();
  }

  /** Spark ignores the setting in local mode. */
  @Test
  void speculationStartsNoTaskASecondTime() {
    SparkSession spark =
        session(
            "local[2]",
            Interruption.NONE,
            Map.of(
                "spark.speculation", "true",
                "spark.speculation.multiplier", "1",
                "spark.speculation.quantile", "0.1",
                "spark.speculation.minTaskRuntime", "1ms",
                "spark.speculation.interval", "2ms"));
    AtomicInteger speculative = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskStart(SparkListenerTaskStart start) {
                speculative.addAndGet(start.taskInfo().speculative() ? 1 : 0);
              }
            });
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    assertTrained(training(table, 1).run().table());
    assertThat(speculative).hasValue(0);
  }

  /** Versions of 18 MB and the table that training begins with, in 10 MB of storage. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void versionsOnDiskForLackOfMemoryHaveTheSameBits(int jobsPerCut) {
    SparkSession spark =
        session(
            "local[2]",
            Interruption.NONE,
            Map.of("spark.testing.memory", "25000000", "spark.testing.reservedMemory", "0"));
    EmbeddingSpec spec =
        EmbeddingSpec.of(30_000, 64, Optimizer.adam(0.01))
            .withInitializer(Initializer.uniform(-1, 1, 3))
            .withPartitions(7);
    Pulls model = new Pulls(spec.rows(), 20_000);
    AtomicLong onDisk = new AtomicLong();
    EmbeddingTable table = EmbeddingTable.create(spark, spec);
    NaiveTrainer naive = new NaiveTrainer(spec);
    for (int turn = 0; turn < 2; turn++) {
      EmbeddingTable before = table;
      TensorAssert.assertSameBits(before.weights().collect(), naive.weights());
      table =
          table
              .train(Batches.generated(SHARDS, model::batch), model)
              .steps(4)
              .checkpointEvery(jobsPerCut)
              .reportTo((step, end) -> onDisk.accumulateAndGet(bytesOnDisk(spark), Math::max))
              .run()
              .table();
      TensorAssert.assertSameBits(before.weights().collect(), naive.weights());
      naive.train(model, SHARDS, 4, 1);
      before.close();
    }
    TensorAssert.assertSameBits(table.weights().collect(), naive.weights());
    assertThat(onDisk).hasValueGreaterThan(1 << 20);
  }

  private static long bytesOnDisk(SparkSession spark) {
    return Arrays.stream(spark.sparkContext().getRDDStorageInfo())
        .mapToLong(RDDInfo::diskSize)
        .sum();
  }
}
