/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests models of several tables and dense parameters against a naive trainer, bit by bit. */
class EmbeddingModelTest {
  private static final int SHARDS = 2;
  private static final Bilinear STEP = new Bilinear(40, 6);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private static ModelSpec spec(int partitions) {
    return STEP.spec(Optimizer.adam(0.01), partitions);
  }

  private EmbeddingModel model(int partitions) {
    return EmbeddingModel.create(spark, spec(partitions));
  }

  private static ModelTraining<long[]> training(EmbeddingModel model, int steps) {
    return model.train(Batches.generated(SHARDS, STEP::batch), STEP).steps(steps);
  }

  private static NaiveModelTrainer naive(int steps, int perJob) {
    NaiveModelTrainer naive = new NaiveModelTrainer(spec(1));
    naive.train(STEP, SHARDS, steps, perJob);
    return naive;
  }

  static void assertSame(EmbeddingModel model, NaiveModelTrainer naive) {
    TensorAssert.assertSameBits(
        model.table("left").weights().collect(), naive.table("left").weights());
    Map<Long, float[]> right = new TreeMap<>();
    for (Row row : model.table("right").toDataset().collectAsList()) {
      List<Float> values = row.getList(1);
      float[] array = new float[values.size()];
      for (int i = 0; i < array.length; i++) {
        array[i] = values.get(i);
      }
      right.put(row.getLong(0), array);
    }
    Map<Long, float[]> expected = naive.table("right").written();
    assertThat(right.keySet()).isEqualTo(expected.keySet());
    right.forEach((id, row) -> assertThat(row).isEqualTo(expected.get(id)));
    Map<String, Tensor> parameters = model.parameters();
    assertThat(parameters.keySet()).containsExactlyElementsOf(naive.parameters().keySet());
    parameters.forEach(
        (name, tensor) ->
            assertThat((float[]) tensor.array()).isEqualTo(naive.parameters().get(name)));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 3", "7, 1"})
  void sameBitsAsTheNaiveTrainer(int partitions, int perJob) {
    NaiveModelTrainer naive = naive(5, perJob);
    TrainedModel trained = training(model(partitions), 5).stepsPerJob(perJob).run();
    assertSame(trained.model(), naive);
    assertThat(trained.history().steps())
        .extracting(step -> step.loss().sum())
        .isEqualTo(naive.losses);
    assertThat(trained.model().parameters().get("w").shape())
        .isEqualTo(Shape.of(Bilinear.LEFT, Bilinear.RIGHT));
  }

  @Test
  void aSavedAndRepartitionedModelGoesOnWithTheSameBits() throws IOException {
    String path = directory.resolve("model").toString();
    training(model(3), 3).run().model().save(path);
    EmbeddingModel loaded = EmbeddingModel.load(spark, path).repartition(2);
    assertThat(loaded.steps()).isEqualTo(3);
    assertSame(training(loaded, 3).run().model(), naive(6, 1));
    assertThatThrownBy(() -> loaded.save(path)).isInstanceOf(SparkNdException.class);
    Files.delete(directory.resolve("model").resolve("model.json"));
    assertThatThrownBy(() -> EmbeddingModel.load(spark, path))
        .hasMessageContaining("is not a model");
  }

  @Test
  void aFailedSaveLeavesNothing() throws IOException {
    EmbeddingModel model = training(model(2), 1).run().model();
    model.tables().get(2).close();
    Path path = directory.resolve("failed");
    assertThatThrownBy(() -> model.save(path.toString())).hasMessageContaining("closed");
    assertThat(path).doesNotExist();
  }

  @Test
  void aTrainingIsResumedFromItsCheckpointWithTheSameBits() throws IOException {
    String path = directory.resolve("run").toString();
    ModelValidation toFour =
        model -> List.of(new MetricValue("far", MetricGoal.MINIMIZE, Math.abs(model.steps() - 4)));
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(path, 2);
    training(model(2), 6).validate(2, toFour).keepBest().saveCheckpoints(checkpoints).run();
    TrainedModel resumed =
        training(model(3), 9).validate(2, toFour).keepBest().saveCheckpoints(checkpoints).resume();
    assertThat(resumed.history().steps()).extracting(TrainedStep::step).containsExactly(6L, 7L, 8L);
    assertThat(resumed.history().validations()).hasSize(5);
    assertSame(resumed.model(), naive(9, 1));
    assertSame(resumed.best().orElseThrow().model(), naive(4, 1));
    try (Stream<Path> all = Files.list(Path.of(path))) { // of 2 steps, nothing is left
      assertThat(
              all.map(one -> one.getFileName().toString().replaceAll("^(table-0*)?(\\d).*", "$2")))
          .filteredOn(name -> name.length() == 1)
          .containsExactlyInAnyOrder("4", "6", "8");
    }
  }

  @Test
  void aModelWhoseManifestCannotBeWrittenLeavesNoTables() {
    spark.sparkContext().hadoopConfiguration().set("fs.full.impl", FullDisk.class.getName());
    try {
      assertThatThrownBy(() -> model(2).save("full://" + directory.resolve("model")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("no space for model.json");
    } finally {
      spark.sparkContext().hadoopConfiguration().unset("fs.full.impl");
    }
    assertThat(directory.resolve("model")).doesNotExist();
  }

  /** A local file system that has no space for the manifest of a model. */
  public static final class FullDisk extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("full:///");
    }

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      if (to.getName().equals("model.json")) {
        throw new IOException("no space for model.json");
      }
      return super.rename(from, to);
    }
  }

  /** A step function finds rows by the places of their tables, {@code Map.of} has none. */
  @Test
  void aTrainingIsResumedWithTablesInAnotherOrder() {
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.resolve("r").toString(), 2);
    training(model(2), 4).saveCheckpoints(checkpoints).run();
    Map<String, EmbeddingSpec> reversed = new LinkedHashMap<>();
    reversed.put("right", spec(2).tables().get("right"));
    reversed.put("left", spec(2).tables().get("left"));
    EmbeddingModel model =
        EmbeddingModel.create(spark, new ModelSpec(reversed, spec(2).dense(), 2));
    TrainedModel resumed = training(model, 6).saveCheckpoints(checkpoints).resume();
    assertSame(resumed.model(), naive(6, 1));
    assertThat(resumed.model().spec().tables().keySet()).containsExactly("right", "left");
    assertThat(resumed.history().steps()).extracting(TrainedStep::step).containsExactly(4L, 5L);
  }

  @Test
  void checkpointsOfAnotherModelAreAnError() {
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.resolve("o").toString(), 1);
    training(model(2), 1).saveCheckpoints(checkpoints).run();
    EmbeddingModel other =
        EmbeddingModel.create(
            spark, spec(2).withDense(DenseSpec.of(Optimizer.adam(0.01)).withLinear("w", 3, 4, 1)));
    assertThatThrownBy(() -> training(other, 2).saveCheckpoints(checkpoints).resume())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("w.weight");
  }

  @Test
  void lossesOfHeldOutBatchesAreThoseOfTheVersion() {
    Batches<long[]> heldOut =
        Batches.generated(SHARDS, (step, shard) -> STEP.batch(100 + step, shard));
    TrainedModel trained =
        training(model(2), 2).validate(2, ModelValidation.loss(heldOut, STEP, 3)).run();
    double loss = trained.history().validations().get(0).metrics().get(0).value();
    assertThat(loss).isPositive().isLessThan(trained.history().steps().get(0).loss().mean() * 2);
  }

  @Test
  void oneTableIsReplacedByAnEvictedVersion() {
    EmbeddingSpec rows = EmbeddingSpec.keyed(2, Optimizer.sgd(0.1)).withRowUsage();
    EmbeddingModel model =
        EmbeddingModel.create(
            spark, ModelSpec.empty().withTable("a", rows).withTable("b", rows).withPartitions(2));
    EmbeddingModel trained =
        model.train(Batches.generated(1, (step, shard) -> step), new Ones()).steps(6).run().model();
    assertThat(trained.table("a").writtenRows()).isEqualTo(6);
    EmbeddingTable kept =
        trained.table("a").evict(RowEviction.toRows(2, EvictionOrder.LEAST_RECENT)).table();
    EmbeddingModel smaller = trained.with("a", kept);
    trained.close();
    assertThat(smaller.table("a").writtenRows()).isEqualTo(2);
    assertThat(smaller.table("b").writtenRows()).isEqualTo(6);
    assertThatThrownBy(trained.table("b")::writtenRows).hasMessageContaining("closed");
    EmbeddingModel more =
        smaller.train(Batches.generated(1, (step, shard) -> step), new Ones()).run().model();
    assertThat(more.table("a").writtenRows()).isEqualTo(3);
    assertThatThrownBy(() -> smaller.with("b", kept.repartition(3)))
        .hasMessageContaining("[2, 3] partitions");
    assertThatThrownBy(() -> more.with("b", kept)).hasMessageContaining("'b' has 6 steps");
  }

  /** A new row of each table in every step. */
  private record Ones() implements ModelStep<Long> {
    @Override
    public Map<String, long[]> ids(Long step) {
      return Map.of("a", new long[] {step}, "b", new long[] {step});
    }

    @Override
    public Loss step(Long step, ModelRows rows) {
      rows.tables().values().forEach(table -> table.gradients()[0] = 1);
      return new Loss(0, 1);
    }
  }

  /** Names a table, an id or a parameter that there is not, or has a gradient of NaN. */
  private record Wrong(String table, long id, String parameter, float gradient)
      implements ModelStep<long[]> {
    @Override
    public Map<String, long[]> ids(long[] batch) {
      return Map.of(table, new long[] {id});
    }

    @Override
    public Loss step(long[] batch, ModelRows rows) {
      rows.dense(parameter).gradients()[0] = gradient;
      return Loss.NONE;
    }
  }

  private void assertWrong(Wrong step, String... parts) {
    assertThatThrownBy(
            () -> model(2).train(Batches.generated(SHARDS, STEP::batch), step).steps(2).run())
        .isInstanceOf(SparkNdException.class)
        .satisfies(error -> assertThat(error.getMessage()).contains(parts));
  }

  @Test
  void errorsOfAStepNameTheTableOrTheParameter() {
    assertWrong(new Wrong("middle", 1, "w", 0), "no table 'middle'", "[left, right]");
    assertWrong(new Wrong("left", 99, "w", 0), "table 'left' of the model", "99");
    assertWrong(new Wrong("left", 1, "v", 0), "no parameter 'v'", "[w, bias]");
    assertWrong(new Wrong("left", 1, "bias", Float.NaN), "parameter 'bias'", "step 0");
    assertWrong(new Wrong("left", 1, "w", Float.MAX_VALUE), "parameter 'w' of the model", "sum");
  }

  @Test
  void fetchedRowsAreThoseOfTheVersion() {
    EmbeddingModel model = training(model(2), 2).run().model();
    NaiveModelTrainer naive = naive(2, 1);
    ModelRows rows =
        model.fetch(Map.of("left", new long[] {3, 1, 3}, "right", new long[] {-7, 1_000_000}));
    assertThat(rows.table("left").slot(2)).isZero();
    assertThat(rows.table("left").requested()).isEqualTo(3);
    assertThat(Arrays.copyOf(rows.table("left").values(), Bilinear.LEFT))
        .isEqualTo(naive.table("left").weights(3));
    assertThat(Arrays.copyOfRange(rows.table("right").values(), Bilinear.RIGHT, 2 * Bilinear.RIGHT))
        .isEqualTo(naive.table("right").weights(1_000_000));
    assertThat(rows.dense("bias").values()).isEqualTo(naive.parameters().get("bias"));
    assertError(() -> model.fetch(Map.of("middle", new long[] {1})), "no table 'middle'");
  }

  @Test
  void modelsThatCannotBeAreErrors() {
    DenseSpec dense = DenseSpec.of(Optimizer.sgd(1));
    EmbeddingSpec table = EmbeddingSpec.of(5, 2, Optimizer.sgd(1));
    assertError(() -> EmbeddingModel.create(spark, ModelSpec.empty()), "at least one table");
    assertError(() -> ModelSpec.empty().withTable("../a", table), "'../a'");
    assertError(
        () -> ModelSpec.empty().withTable("a", table).withTable("a", table), "a table 'a' already");
    assertError(
        () -> dense.withLinear("a", 1, 2, 3).withLinear("a", 1, 2, 3), "parameter 'a.weight'");
    assertError(() -> dense.with("a", Shape.of(0, 3), Initializer.zeros()), "shape [0, 3]");
    assertError(() -> DenseSpec.of(Optimizer.lamb(0.1)), "each row");
    assertError(() -> DenseSpec.of(Optimizer.rowWiseAdagrad(0.1)), "each row");
    assertError(() -> DenseSpec.of(Optimizer.sgd(1).withClip(Clip.byNorm(1))), "each row");
    assertError(() -> new DenseParameter("a", Shape.of(2, 2), 1, 2, 3), "3 elements");
    ModelSpec two =
        ModelSpec.empty()
            .withTable("a", table.withPartitions(2))
            .withTable("b", table.withPartitions(3));
    assertError(() -> EmbeddingModel.create(spark, two), "[2, 3] partitions");
    assertError(() -> model(2).table("w"), "no table 'w'");
  }

  private static void assertError(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String part) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(part);
  }
}
