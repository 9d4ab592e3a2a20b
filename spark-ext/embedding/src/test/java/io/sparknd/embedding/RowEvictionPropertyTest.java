/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Adam;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/**
 * Tests that tables admit and evict the rows that a naive trainer does, and go on with the same
 * bits, at any number of partitions.
 */
class RowEvictionPropertyTest {

  /**
   * The input of one trial.
   *
   * @param ids number of ids in the mini-batches
   * @param evictions what is evicted after each training
   */
  record Run(
      EmbeddingSpec spec,
      int ids,
      int examples,
      int steps,
      int perJob,
      List<RowEviction> evictions,
      List<KeyedTrainingPropertyTest.Stop> stops) {
    Pulls model() {
      return spec.isKeyed()
          ? new Pulls(ids, examples, KeyedTrainingPropertyTest::key)
          : new Pulls(ids, examples);
    }
  }

  @Property(tries = 9, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void sameRowsAsTheNaiveTrainerInManyTries(@ForAll("runs") Run run) throws IOException {
    sameRowsAsTheNaiveTrainer(run);
  }

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void sameRowsAsTheNaiveTrainer(@ForAll("runs") Run run) throws IOException {
    Pulls model = run.model();
    NaiveTrainer naive = new NaiveTrainer(run.spec());
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), run.spec());
    for (int i = 0; i < run.evictions().size(); i++) {
      naive.train(model, 2, run.steps(), run.perJob());
      EmbeddingTable trained =
          table
              .train(Batches.generated(2, model::batch), model)
              .steps(run.steps())
              .stepsPerJob(run.perJob())
              .run()
              .table();
      Map<Long, List<Long>> before = naive.stored();
      EvictionResult evicted = trained.evict(run.evictions().get(i));
      assertThat(evicted.rows()).isEqualTo(naive.evict(run.evictions().get(i)));
      assertThat(StoredTables.rows(evicted.table())).isEqualTo(naive.stored());
      assertThat(StoredTables.candidates(evicted.table())).isEqualTo(naive.candidates());
      assertThat(StoredTables.rows(trained)).isEqualTo(before);
      assertReads(evicted.table(), naive);
      trained.close();
      KeyedTrainingPropertyTest.Stop stop = run.stops().get(i % run.stops().size());
      table = KeyedTrainingPropertyTest.stopped(evicted.table(), stop);
      assertThat(StoredTables.rows(table)).isEqualTo(naive.stored());
      assertThat(StoredTables.candidates(table)).isEqualTo(naive.candidates());
    }
    table.close();
  }

  private static void assertReads(EmbeddingTable table, NaiveTrainer naive) {
    KeyedTrainingPropertyTest.assertSameBits(table, naive.written());
    if (!table.spec().isKeyed()) {
      TensorAssert.assertSameBits(table.weights().collect(), naive.weights());
    }
  }

  @Provide
  Arbitrary<Run> runs() {
    return Combinators.combine(
            specs(),
            Arbitraries.integers().between(1, 400),
            Arbitraries.integers().between(0, 30),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 3),
            evictions().list().ofMinSize(1).ofMaxSize(4),
            Arbitraries.of(KeyedTrainingPropertyTest.Stop.class).list().ofSize(4))
        .as(Run::new);
  }

  private static Arbitrary<RowEviction> evictions() {
    Arbitrary<EvictionOrder> orders = Arbitraries.of(EvictionOrder.class);
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 4).map(RowEviction::idle),
        Arbitraries.longs().between(1, 4).map(RowEviction::rare),
        Arbitraries.doubles().between(0.1, 2).map(RowEviction::small),
        Combinators.combine(Arbitraries.longs().between(0, 100), orders).as(RowEviction::toRows),
        Combinators.combine(Arbitraries.longs().between(0, 9000), orders).as(RowEviction::toBytes));
  }

  private static Arbitrary<EmbeddingSpec> specs() {
    return Combinators.combine(
            Arbitraries.of(0, 400),
            Arbitraries.of(1, 5, 16, 100),
            Arbitraries.of(
                Optimizer.sgd(0.05), Optimizer.rowWiseAdagrad(0.1), Optimizer.adam(0.01)),
            Arbitraries.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16),
            Arbitraries.of(DType.FLOAT32, DType.BFLOAT16),
            Arbitraries.integers().between(1, 5),
            admissions())
        .as(
            (rows, dim, optimizer, dtype, state, partitions, admission) ->
                spec(rows, dim, optimizer, dtype, partitions, admission)
                    // the others have no state that bfloat16 narrows
                    .withStateDType(optimizer instanceof Adam ? state : DType.FLOAT32));
  }

  private static Arbitrary<RowAdmission> admissions() {
    Arbitrary<Long> steps = Arbitraries.longs().between(1, 3);
    return Arbitraries.oneOf(
        steps.map(RowAdmission::after),
        Combinators.combine(steps, Arbitraries.longs())
            .as((count, seed) -> RowAdmission.filtered(count, 1).withSeed(seed)));
  }

  private static EmbeddingSpec spec(
      int rows, int dim, Optimizer optimizer, DType dtype, int partitions, RowAdmission admission) {
    EmbeddingSpec spec =
        rows == 0
            ? EmbeddingSpec.keyed(dim, optimizer).withAdmission(admission)
            : EmbeddingSpec.of(rows, dim, optimizer);
    return spec.withDType(dtype)
        .withRowUsage()
        .withInitializer(Initializer.uniform(-0.5, 0.5, dim))
        .withPartitions(partitions);
  }
}
