/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** Tests that models have the bits of a naive trainer, for any partitioning and optimizer. */
class ModelTrainingPropertyTest {
  /** The input of one trial. */
  record Run(
      Optimizer dense, Bilinear step, int partitions, int shards, int steps, int stepsPerJob) {}

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  void sameBitsAsTheNaiveTrainer(@ForAll("runs") Run run) {
    check(run);
  }

  @Tag("slow")
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void sameBitsAsTheNaiveTrainerInManyTrials(@ForAll("runs") Run run) {
    check(run);
  }

  private static void check(Run run) {
    ModelSpec spec = run.step().spec(run.dense(), run.partitions());
    NaiveModelTrainer naive = new NaiveModelTrainer(spec);
    naive.train(run.step(), run.shards(), 2 * run.steps(), run.stepsPerJob());
    EmbeddingModel model = EmbeddingModel.create(LocalSpark.session(), spec);
    TrainedModel half = train(model, run);
    boolean isAtJob = run.steps() % run.stepsPerJob() == 0;
    TrainedModel whole = isAtJob ? train(half.model(), run) : train(model, run, 2 * run.steps());
    EmbeddingModelTest.assertSame(whole.model(), naive);
    TrainedStep last = whole.history().steps().get(whole.history().steps().size() - 1);
    assertThat(last.loss().sum()).isEqualTo(naive.losses.get(2 * run.steps() - 1));
    half.model().close();
    whole.model().close();
  }

  private static TrainedModel train(EmbeddingModel model, Run run) {
    return train(model, run, run.steps());
  }

  private static TrainedModel train(EmbeddingModel model, Run run, int steps) {
    return model
        .train(Batches.generated(run.shards(), run.step()::batch), run.step())
        .steps(steps)
        .stepsPerJob(run.stepsPerJob())
        .run();
  }

  @Provide
  Arbitrary<Run> runs() {
    return Combinators.combine(
            Arbitraries.of(
                List.of(
                    Optimizer.sgd(0.01).withClip(Clip.byValue(0.5)),
                    Optimizer.momentum(0.01, 0.9),
                    Optimizer.adam(0.01).withL2(1e-3),
                    Optimizer.adamW(0.01),
                    Optimizer.torchAdagrad(0.05))),
            Combinators.combine(
                    Arbitraries.integers().between(1, 200), Arbitraries.integers().between(0, 12))
                .as(Bilinear::new),
            Arbitraries.integers().between(1, 7),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 3))
        .as(Run::new);
  }
}
