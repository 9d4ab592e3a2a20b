/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.TrainedEmbedding;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.spark.sql.SparkSession;

/**
 * Training steps of an embedding table with Adagrad: their overhead over empty jobs, and their cost
 * for growing tables.
 */
final class EmbeddingSteps {
  private static final int SHARDS = 2;
  private static final int ROWS_OF_A_STEP = 8192;
  private static final int FEW_ROWS_OF_A_STEP = 512;
  private static final int WIDTH = 64;
  private static final int STEPS = 20;

  /** Enough steps that the more expensive first and last job hardly count. */
  private static final int MANY_STEPS = 50;

  private static final long MILLION = 1_000_000;

  private final SparkSession spark;
  private final QueryRounds pace;

  EmbeddingSteps(SparkSession spark, QueryRounds pace) {
    this.spark = spark;
    this.pace = pace;
  }

  List<SparkWork> works() {
    return List.of(
        new SparkWork(
            "overhead",
            MANY_STEPS + " steps of 512 rows of 1M x 64",
            1.5,
            pace,
            () ->
                List.of(
                    new Training(
                        "SparkND", Role.OURS, MILLION, FEW_ROWS_OF_A_STEP, 1, 1, MANY_STEPS),
                    new EmptyShuffle(spark, MANY_STEPS))),
        new SparkWork(
            "jobs",
            STEPS + " steps of 512 rows, ten a job",
            0.25,
            pace,
            () ->
                List.of(
                    new Training("ten a job", Role.OURS, MILLION, FEW_ROWS_OF_A_STEP, 10, 2, STEPS),
                    new Training(
                        "one a job", Role.CORRECT, MILLION, FEW_ROWS_OF_A_STEP, 1, 2, STEPS))),
        larger("rows10M", "10M", 10 * MILLION),
        larger("rows100M", "100M", 100 * MILLION));
  }

  /** Runs few rounds, because uniformly drawn rows are new ones and finally fill the heap. */
  private SparkWork larger(String id, String title, long rows) {
    return new SparkWork(
        id,
        STEPS + " steps of 8,192 rows of " + title + " x 64",
        1.5,
        new QueryRounds(Math.min(3, pace.warmups()), Math.min(7, pace.rounds())),
        () ->
            List.of(
                new Training(title + " rows", Role.OURS, rows, ROWS_OF_A_STEP),
                new Training("1M rows", Role.CORRECT, MILLION, ROWS_OF_A_STEP)));
  }

  /** Draws rows uniformly and pulls each toward 1. */
  private record Pull(long rows, int count) implements StepFunction<long[]> {
    long[] batch(long step, int shard) {
      return new SplittableRandom(SHARDS * step + shard).longs(count, 0, rows).toArray();
    }

    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      for (int i = 0; i < rows.count() * WIDTH; i++) {
        rows.gradients()[i] = rows.values()[i] - 1;
      }
      return new Loss(0, batch.length);
    }
  }

  /** A training that each run continues. */
  private final class Training implements SparkPeer {
    private final String name;
    private final Role role;
    private final Pull pull;
    private final int stepsPerJob;
    private final int jobsPerCut;
    private final int steps;
    private EmbeddingTable table;

    Training(String name, Role role, long rows, int rowsOfAStep) {
      this(name, role, rows, rowsOfAStep, 1, 1, STEPS);
    }

    /** With {@code jobsPerCut} above 1, local mode runs the jobs of a cluster. */
    Training(
        String name,
        Role role,
        long rows,
        int rowsOfAStep,
        int stepsPerJob,
        int jobsPerCut,
        int steps) {
      this.steps = steps;
      this.jobsPerCut = jobsPerCut;
      this.name = name;
      this.role = role;
      this.pull = new Pull(rows, rowsOfAStep / SHARDS);
      this.stepsPerJob = stepsPerJob;
      this.table =
          EmbeddingTable.create(
              spark,
              EmbeddingSpec.of(rows, WIDTH, Optimizer.adagrad(0.05))
                  .withInitializer(Initializer.uniform(-0.1, 0.1, 1))
                  .withPartitions(EmptyShuffle.OWNERS));
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Role role() {
      return role;
    }

    @Override
    public void run() {
      TrainedEmbedding trained =
          table
              .train(Batches.generated(SHARDS, pull::batch), pull)
              .steps(steps)
              .stepsPerJob(stepsPerJob)
              .checkpointEvery(jobsPerCut)
              .run();
      table.close();
      table = trained.table();
    }

    @Override
    public boolean goesOn() {
      return true;
    }

    /** Empty: tests check the results of training bit for bit. */
    @Override
    public OptionalLong answer() {
      return OptionalLong.empty();
    }
  }
}
