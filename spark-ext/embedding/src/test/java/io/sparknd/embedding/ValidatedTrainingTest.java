/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.metrics.Counted;
import io.sparknd.metrics.TrainingMetrics;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests validations, early stopping, best versions and checkpoints of trainings. */
class ValidatedTrainingTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(60, 2, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withPartitions(2);
  private static final Pulls MODEL = new Pulls(SPEC.rows(), 8);
  private static final int SHARDS = 2;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private Training<long[]> training(int steps) {
    return EmbeddingTable.create(spark, SPEC)
        .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
        .steps(steps);
  }

  private static NaiveTrainer naive(int steps, int perJob) {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, steps, perJob);
    return naive;
  }

  private static void assertWeights(EmbeddingTable table, Tensor expected) {
    TensorAssert.assertSameBits(table.weights().collect(), expected);
  }

  /** A validation that has given values in order. */
  private static TrainingValidation scripted(double... values) {
    List<Double> left = new ArrayList<>();
    for (double value : values) {
      left.add(value);
    }
    return table -> List.of(new MetricValue("score", MetricGoal.MAXIMIZE, left.remove(0)));
  }

  private static List<Double> values(TrainedEmbedding trained) {
    return trained.validations().stream().map(v -> v.metrics().get(0).value()).toList();
  }

  /** The mean loss of mini-batches, by the model of trainings. */
  private static double loss(NaiveTrainer trained, int count) {
    Loss loss = Loss.NONE;
    for (int step = 0; step < count; step++) {
      for (int shard = 0; shard < SHARDS; shard++) {
        long[] batch = MODEL.batch(1000 + step, shard);
        loss = loss.and(MODEL.step(batch, EmbeddingRows.of(batch, SPEC.dim(), trained::weights)));
      }
    }
    return loss.mean();
  }

  @Test
  void validationsSeeTheVersionOfTheirStepAndChangeNoBit() throws IOException {
    Batches<long[]> heldOut =
        Batches.generated(SHARDS, (step, shard) -> MODEL.batch(1000 + step, shard));
    List<ValidatedStep> heard = new ArrayList<>();
    TrainedEmbedding trained =
        training(7)
            .stepsPerJob(2)
            .validate(4, TrainingValidation.loss(heldOut, MODEL, 9))
            .reportTo(
                new TrainingListener() {
                  @Override
                  public void stepped(TrainedStep step, long end) {}

                  @Override
                  public void validated(ValidatedStep validation) {
                    heard.add(validation);
                  }
                })
            .run();
    NaiveTrainer naive = naive(7, 2);
    assertWeights(trained.table(), naive.weights());
    assertThat(trained.steps()).extracting(step -> step.loss().sum()).isEqualTo(naive.losses);
    assertThat(trained.validations()).extracting(ValidatedStep::step).containsExactly(3L, 6L);
    assertThat(heard).isEqualTo(trained.validations());
    assertThat(values(trained).get(0)).isEqualTo(loss(naive(4, 2), 9));
    assertThat(values(trained).get(1)).isEqualTo(loss(naive, 9));
    Path csv = directory.resolve("trained.csv");
    trained.toCsv(csv);
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0)).isEqualTo("step,loss,examples,seconds,val_loss");
    assertThat(lines.get(4)).startsWith("3,").endsWith("," + values(trained).get(0));
    assertThat(lines.get(5)).startsWith("4,").endsWith(",");
  }

  @Test
  void lastValuesOfMetricsAreGauges() {
    Counted counted = Counted.start();
    training(3).validate(1, scripted(0.25, 0.75, 0.5)).run();
    assertThat(counted.gauges()).isEqualTo(Map.of("training.validation.score", 0.5));
    counted.close();
    TrainingMetrics.validated("score", 1);
    assertThat(counted.gauges()).containsValue(0.5);
  }

  @Tag("slow")
  @Test
  void metricsOfPredictionsAreComputedFromTheVersion() {
    TrainingValidation validation =
        TrainingValidation.of(
            table -> table.toDataset().selectExpr("id < 20 AS label", "embedding[0] AS score"),
            EvaluationMetric.rmse(),
            EvaluationMetric.auc());
    TrainedEmbedding trained = training(4).validate(4, validation).run();
    assertThat(trained.validations()).hasSize(1);
    assertThat(trained.validations().get(0).metrics())
        .isEqualTo(validation.evaluate(trained.table()))
        .extracting(MetricValue::name)
        .containsExactly("rmse", "auc");
  }

  @Test
  void trainingStopsAfterItsPatienceAndKeepsTheBest() {
    TrainedEmbedding trained =
        training(20)
            .validate(2, scripted(0.1, 0.5, 0.52, 0.3, 0.4, 0.9))
            .stopEarly(EarlyStopping.patience(2).withMinDelta(0.05))
            .keepBest()
            .run();
    assertThat(values(trained)).containsExactly(0.1, 0.5, 0.52, 0.3);
    assertThat(trained.table().steps()).isEqualTo(8);
    assertThat(trained.steps()).hasSize(8);
    assertWeights(trained.table(), naive(8, 1).weights());
    BestVersion best = trained.best().orElseThrow();
    assertThat(best.validation()).isEqualTo(trained.validations().get(2));
    assertWeights(best.table(), naive(6, 1).weights());
  }

  @Tag("slow")
  @Test
  void versionsThatAreNotBestAreClosed() {
    List<EmbeddingTable> seen = new ArrayList<>();
    TrainingValidation scripted = scripted(1, 3, 2, 0);
    TrainedEmbedding trained =
        training(4)
            .validate(
                1,
                table -> {
                  seen.add(table);
                  return scripted.evaluate(table);
                })
            .keepBest()
            .run();
    assertThat(trained.best().orElseThrow().table()).isSameAs(seen.get(1));
    for (EmbeddingTable closed : List.of(seen.get(0), seen.get(2))) {
      assertThatThrownBy(closed::writtenRows).hasMessageContaining("is closed");
    }
    assertThat(seen.get(1).writtenRows()).isPositive();
    assertThat(seen.get(3)).isSameAs(trained.table());
  }

  private Training<long[]> saved(TrainingListener listener) {
    return training(14)
        .stepsPerJob(2)
        .validate(2, scripted(1, 2, 3, 2, 2, 2, 2))
        .keepBest()
        .saveCheckpoints(TrainingCheckpoints.of(directory.resolve("run").toString(), 4))
        .reportTo(listener);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("run"))) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  @Test
  void resumedTrainingHasTheBitsOfOneThatWasNotStopped() throws IOException {
    TrainingListener failing =
        (step, end) -> {
          if (step.step() == 10) {
            throw new IllegalStateException("the driver is lost");
          }
        };
    assertThatThrownBy(saved(failing)::run).hasMessage("the driver is lost");
    Files.writeString(directory.resolve("run/notes.txt"), "of others");
    TrainedEmbedding resumed =
        training(14)
            .stepsPerJob(2)
            .validate(2, scripted(2, 2, 2))
            .keepBest()
            .saveCheckpoints(TrainingCheckpoints.of(directory.resolve("run").toString(), 4))
            .resume();
    assertWeights(resumed.table(), naive(14, 2).weights());
    assertThat(resumed.steps()).extracting(TrainedStep::step).startsWith(8L).hasSize(6);
    assertThat(values(resumed)).containsExactly(1.0, 2.0, 3.0, 2.0, 2.0, 2.0, 2.0);
    assertThat(resumed.best().orElseThrow().validation().step()).isEqualTo(5);
    assertWeights(resumed.best().orElseThrow().table(), naive(6, 2).weights());
    assertThat(names())
        .hasSize(6)
        .contains("notes.txt", "checkpoint-%019d.json".formatted(8))
        .contains("checkpoint-%019d.json".formatted(12))
        .filteredOn(name -> name.startsWith("best-"))
        .hasSize(1);
    assertRefused(saved((step, end) -> {})::run, "has a checkpoint at 12 steps", "resume");
    Training<long[]> other =
        EmbeddingTable.create(spark, EmbeddingSpec.of(61, 2, SPEC.optimizer()))
            .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
            .steps(14)
            .saveCheckpoints(TrainingCheckpoints.of(directory.resolve("run").toString(), 4));
    assertRefused(other::resume, "rows=60", "rows=61");
  }

  @Test
  void checkpointsInAnotherLocaleAreFound() {
    Locale before = Locale.getDefault();
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.toString(), 2);
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      training(4).saveCheckpoints(checkpoints).run();
      assertRefused(training(4).saveCheckpoints(checkpoints)::run, "has a checkpoint at 4 steps");
      assertWeights(
          training(6).saveCheckpoints(checkpoints).resume().table(), naive(6, 1).weights());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void checkpointsOfTwoTrainingsAreRefused() throws IOException {
    Path mixed = directory.resolve("one");
    for (String each : List.of("one", "other")) {
      training(each.equals("one") ? 2 : 4)
          .saveCheckpoints(TrainingCheckpoints.of(directory.resolve(each).toString(), 2).keeping(1))
          .run();
    }
    Files.copy(
        directory.resolve("other/checkpoint-%019d.json".formatted(4)),
        mixed.resolve("checkpoint-%019d.json".formatted(4)));
    assertRefused(
        training(6).saveCheckpoints(TrainingCheckpoints.of(mixed.toString(), 2))::resume,
        mixed.toString(),
        "more than one training");
  }

  @Test
  void namesOfMetricsAreDistinctAndTheSame() {
    MetricValue twice = new MetricValue("recall", MetricGoal.MAXIMIZE, 0.5);
    assertRefused(training(1).validate(1, table -> List.of(twice, twice))::run, "[recall, recall]");
    TrainingValidation changing =
        table -> List.of(new MetricValue("after " + table.steps(), MetricGoal.MAXIMIZE, 1));
    assertRefused(training(2).validate(1, changing)::run, "[after 2]", "[after 1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "a\"", "a\n", "a\r\n", "a\n\nb", "a,b\u2028"})
  void namesOfMetricsFitTheHeaderOfTheCsv(String name) {
    MetricValue metric = new MetricValue(name, MetricGoal.MAXIMIZE, 1);
    assertRefused(training(1).validate(1, table -> List.of(metric))::run, "[" + name + "]");
  }

  @Test
  void meanLossIsOfAtLeastOneStep() {
    TrainingHistory history = training(2).run().history();
    assertThat(history.loss(Integer.MAX_VALUE)).isEqualTo(history.loss(2));
    assertRefused(() -> history.loss(0), "count is 0");
    assertRefused(() -> history.loss(Integer.MIN_VALUE), "count is -2147483648");
  }

  @Test
  void bestVersionThatWasNotSavedIsAnError() {
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.toString(), 2);
    training(2).validate(1, scripted(2, 1)).saveCheckpoints(checkpoints).run();
    assertRefused(
        training(4).validate(1, scripted(0, 0)).keepBest().saveCheckpoints(checkpoints)::resume,
        "no best version");
  }

  @Test
  void contradictionsAreRefused() {
    assertRefused(training(1).keepBest()::run, "keepBest needs a metric");
    assertRefused(
        training(1).stopEarly(EarlyStopping.patience(1))::run, "stopEarly needs a metric");
    assertRefused(training(1).stepsPerJob(4).validate(6, scripted())::run, "a multiple of 4");
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.toString(), 6);
    assertRefused(training(1).stepsPerJob(4).saveCheckpoints(checkpoints)::run, "multiple of 4");
    assertRefused(training(1)::resume, "call saveCheckpoints");
    assertRefused(training(1).validate(1, table -> List.of())::run, "no metric");
    assertRefused(() -> EarlyStopping.patience(1).withMinDelta(-1), "minDelta is -1.0");
    assertRefused(() -> checkpoints.keeping(0), "kept is 0");
  }

  private static void assertRefused(ThrowingCallable call, String... messages) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(messages);
  }
}
