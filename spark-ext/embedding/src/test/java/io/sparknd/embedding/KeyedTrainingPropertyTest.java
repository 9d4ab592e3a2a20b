/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Row;
import org.apache.spark.util.ShutdownHookManager;

/** Tests that keyed tables have the rows, weights and losses of a naive trainer, bit for bit. */
class KeyedTrainingPropertyTest {
  private static final long[] SPECIAL = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE, 1, -2, 1L << 32};

  /**
   * The input of one trial.
   *
   * @param keys number of keys in the mini-batches
   * @param between what happens to the table after each training but the last
   */
  record Run(
      EmbeddingSpec spec,
      int keys,
      int shards,
      int examples,
      int steps,
      int stepsPerJob,
      List<Stop> between) {
    Pulls model() {
      return new Pulls(keys, examples, KeyedTrainingPropertyTest::key);
    }
  }

  enum Stop {
    NOT,
    SAVED,
    SPREAD,
    GATHERED
  }

  /** Returns special keys, such as 0 and -1, for the most frequent rows. */
  static long key(long row) {
    return row < SPECIAL.length ? SPECIAL[(int) row] : new SplittableRandom(row).split().nextLong();
  }

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void sameBitsAsTheNaiveTrainerInManyTries(@ForAll("runs") Run run) throws IOException {
    sameBitsAsTheNaiveTrainer(run);
  }

  @Property(tries = 2, shrinking = ShrinkingMode.OFF)
  void sameBitsAsTheNaiveTrainer(@ForAll("runs") Run run) throws IOException {
    Pulls model = run.model();
    NaiveTrainer naive = new NaiveTrainer(run.spec());
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), run.spec());
    assertThat(table.writtenRows()).isZero();
    for (Stop stop : run.between()) {
      table = stopped(table, stop);
      Map<Long, float[]> before = naive.written();
      int known = naive.losses.size();
      naive.train(model, run.shards(), run.steps(), run.stepsPerJob());
      TrainedEmbedding trained = train(table, model, run);
      for (int i = 0; i < run.steps(); i++) {
        assertThat(trained.steps().get(i).loss().sum()).isEqualTo(naive.losses.get(known + i));
      }
      assertSameBits(trained.table(), naive.written());
      assertSameBits(table, before);
      table.close();
      table = trained.table();
    }
    table.close();
  }

  private static TrainedEmbedding train(EmbeddingTable table, Pulls model, Run run) {
    return table
        .train(Batches.generated(run.shards(), model::batch), model)
        .steps(run.steps())
        .stepsPerJob(run.stepsPerJob())
        .run();
  }

  static EmbeddingTable stopped(EmbeddingTable table, Stop how) throws IOException {
    return switch (how) {
      case NOT -> table;
      case SPREAD -> table.repartition(7);
      case GATHERED -> table.repartition(1);
      case SAVED -> {
        Path directory = Files.createTempDirectory("sparknd-embedding").resolve("t");
        ShutdownHookManager.registerShutdownDeleteDir(directory.getParent().toFile());
        table.save(directory.toString());
        EmbeddingTable loaded = EmbeddingTable.load(LocalSpark.session(), directory.toString());
        assertThat(loaded.toString()).isEqualTo(table.toString());
        yield loaded;
      }
    };
  }

  static void assertSameBits(EmbeddingTable table, Map<Long, float[]> expected) {
    Map<Long, float[]> rows = rows(table);
    assertThat(rows.keySet()).isEqualTo(expected.keySet());
    expected.forEach((id, weights) -> assertThat(bits(rows.get(id))).isEqualTo(bits(weights)));
    assertThat(table.writtenRows()).isEqualTo(expected.size());
  }

  /** Returns the rows of the table, each once. */
  static Map<Long, float[]> rows(EmbeddingTable table) {
    List<Row> all = table.toDataset().collectAsList();
    return all.stream()
        .collect(
            Collectors.toMap(
                row -> row.getLong(0),
                row -> floats(row.getList(1)),
                (one, other) -> {
                  throw new AssertionError("a key twice");
                },
                TreeMap::new));
  }

  private static float[] floats(List<Float> list) {
    float[] floats = new float[list.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = list.get(i);
    }
    return floats;
  }

  private static int[] bits(float[] weights) {
    int[] bits = new int[weights.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(weights[i]);
    }
    return bits;
  }

  @Provide
  Arbitrary<Run> runs() {
    return Combinators.combine(
            specs(),
            Arbitraries.integers().between(1, 3000),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(1, 5),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(Stop.class).list().ofMinSize(1).ofMaxSize(4))
        .as(Run::new);
  }

  private static Arbitrary<EmbeddingSpec> specs() {
    return Combinators.combine(
            Arbitraries.of(1, 2, 7, 16, 300),
            Arbitraries.of(
                Optimizer.sgd(0.05).withClip(Clip.byNorm(4)),
                Optimizer.rowWiseAdagrad(0.1).withL2(1e-3),
                Optimizer.adam(0.01),
                Optimizer.lamb(0.01).withWeightDecay(0.01),
                Optimizer.ftrl(0.1)),
            Arbitraries.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16),
            Arbitraries.of(DType.FLOAT32, DType.BFLOAT16),
            Arbitraries.integers().between(1, 5))
        .as(
            (dim, optimizer, dtype, state, partitions) ->
                EmbeddingSpec.keyed(dim, optimizer)
                    .withDType(dtype)
                    .withStateDType(
                        TrainingPropertyTest.isNarrowable(optimizer) ? state : DType.FLOAT32)
                    .withInitializer(Initializer.uniform(-0.5, 0.5, dim))
                    .withPartitions(partitions));
  }
}
