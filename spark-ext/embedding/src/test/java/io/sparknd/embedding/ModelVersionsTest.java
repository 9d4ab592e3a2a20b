/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** Tests what versions of models keep, share and release. */
class ModelVersionsTest {
  private static final int SHARDS = 2;
  private static final Bilinear STEP = new Bilinear(40, 6);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private static ModelSpec spec(int partitions) {
    return STEP.spec(Optimizer.adam(0.01), partitions);
  }

  private static ModelTraining<long[]> training(EmbeddingModel model, int steps) {
    return model.train(Batches.generated(SHARDS, STEP::batch), STEP).steps(steps);
  }

  private static NaiveModelTrainer naive(int steps) {
    NaiveModelTrainer naive = new NaiveModelTrainer(spec(1));
    naive.train(STEP, SHARDS, steps, 1);
    return naive;
  }

  private static ModelValidation toStep(long best) {
    return model ->
        List.of(new MetricValue("far", MetricGoal.MINIMIZE, Math.abs(model.steps() - best)));
  }

  private Set<Object> persisted() {
    return new HashSet<>(
        CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs()).keySet());
  }

  @Test
  void versionsAtStopsAreNotUpdatedInPlace() {
    EmbeddingModel begin = EmbeddingModel.create(spark, spec(2));
    EmbeddingModel two = training(begin, 2).run().model();
    TrainingCheckpoints checkpoints =
        TrainingCheckpoints.of(directory.resolve("kept").toString(), 5).keeping(9);
    List<Long> seen = new ArrayList<>();
    TrainedModel trained =
        training(two, 18)
            .validate(
                5,
                model -> {
                  EmbeddingModelTest.assertSame(model, naive((int) model.steps()));
                  seen.add(model.steps());
                  return toStep(10).evaluate(model);
                })
            .keepBest()
            .saveCheckpoints(checkpoints)
            .run();
    assertThat(seen).containsExactly(5L, 10L, 15L, 20L);
    EmbeddingModelTest.assertSame(trained.best().orElseThrow().model(), naive(10));
    EmbeddingModelTest.assertSame(trained.model(), naive(20));
    EmbeddingModelTest.assertSame(two, naive(2));
    EmbeddingModelTest.assertSame(training(two, 4).run().model(), naive(6));
    EmbeddingModelTest.assertSame(
        training(trained.best().orElseThrow().model(), 6).run().model(), naive(16));
    EmbeddingModelTest.assertSame(trained.best().orElseThrow().model(), naive(10));
  }

  @Test
  void closedModelsLeaveNothingPersisted() {
    Set<Object> before = persisted();
    TrainingCheckpoints checkpoints =
        TrainingCheckpoints.of(directory.resolve("run").toString(), 2);
    EmbeddingModel begin = EmbeddingModel.create(spark, spec(2));
    TrainedModel trained =
        training(begin, 6).validate(2, toStep(4)).keepBest().saveCheckpoints(checkpoints).run();
    String path = directory.resolve("saved").toString();
    trained.model().save(path);
    trained.model().close();
    trained.best().orElseThrow().model().close();
    assertThat(before).containsAll(persisted()); // others may be collected

    EmbeddingModel loaded = EmbeddingModel.load(spark, path);
    assertThat(loaded.table("right").writtenRows()).isPositive();
    EmbeddingModel moved = loaded.repartition(3);
    assertThat(moved.parameters()).isEqualTo(loaded.parameters());
    loaded.close();
    moved.close();
    assertThat(before).containsAll(persisted()); // others may be collected

    for (int partitions : new int[] {2, 3}) {
      TrainedModel resumed =
          training(EmbeddingModel.create(spark, spec(partitions)), 8)
              .validate(2, toStep(4))
              .keepBest()
              .saveCheckpoints(checkpoints)
              .resume();
      EmbeddingModelTest.assertSame(resumed.model(), naive(8));
      resumed.model().close();
      resumed.best().orElseThrow().model().close();
      assertThat(before).containsAll(persisted()); // others may be collected
    }
  }

  @Test
  void failedTrainingsLeaveNothingPersisted() {
    Set<Object> before = persisted();
    EmbeddingModel begin = EmbeddingModel.create(spark, spec(2));
    Batches<long[]> failing =
        Batches.generated(
            SHARDS,
            (step, shard) -> {
              if (step == 4) {
                throw new IllegalStateException("no batch 4");
              }
              return STEP.batch(step, shard);
            });
    assertThatThrownBy(
            () -> begin.train(failing, STEP).steps(6).validate(2, toStep(2)).keepBest().run())
        .hasMessageContaining("no batch 4");
    assertThat(before).containsAll(persisted()); // others may be collected
    ModelValidation broken =
        model -> {
          throw new IllegalStateException("no metric");
        };
    assertThatThrownBy(() -> training(begin, 4).validate(2, broken).run())
        .hasMessageContaining("no metric");
    assertThat(before).containsAll(persisted()); // others may be collected
  }

  /** Operations of models, of which closing fails. */
  @SuppressWarnings("unchecked")
  private static VersionOperations<EmbeddingModel> failingToClose() {
    ModelOperations operations = new ModelOperations();
    return (VersionOperations<EmbeddingModel>)
        Proxy.newProxyInstance(
            VersionOperations.class.getClassLoader(),
            new Class<?>[] {VersionOperations.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                throw new IllegalStateException("no context to close in");
              }
              return method.invoke(operations, arguments);
            });
  }

  @Test
  void errorsOfClosingDoNotHideTheFailure() {
    TrainingPlan<EmbeddingModel> plan =
        TrainingPlan.<EmbeddingModel>of(1)
            .withSteps(4)
            .with(
                2,
                model -> {
                  throw new IllegalArgumentException("no metric");
                });
    EmbeddingModel begin = EmbeddingModel.create(spark, spec(2));
    ShardFunction<long[]> function = new ModelFunction<>(begin.spec(), STEP);
    assertThatThrownBy(
            () ->
                TrainingRun.run(
                    plan,
                    failingToClose(),
                    begin,
                    Batches.generated(SHARDS, STEP::batch),
                    function))
        .hasMessage("no metric")
        .satisfies(
            error ->
                assertThat(error.getSuppressed()[0])
                    .hasMessageContaining("no context to close in"));
  }

  @Test
  void anOptimizerOfNoDenseParametersChangesNothing() {
    EmbeddingSpec rows = EmbeddingSpec.keyed(2, Optimizer.sgd(0.1));
    ModelSpec spec =
        ModelSpec.empty()
            .withTable("a", rows)
            .withDense(DenseSpec.of(Optimizer.adam(0.01)))
            .withPartitions(2);
    EmbeddingModel model = EmbeddingModel.create(spark, spec);
    TrainingCheckpoints checkpoints = TrainingCheckpoints.of(directory.resolve("c").toString(), 2);
    Batches<Long> batches = Batches.generated(1, (step, shard) -> step);
    TrainedModel trained =
        model.train(batches, new Some()).steps(2).saveCheckpoints(checkpoints).run();
    EmbeddingModel resumed =
        model.train(batches, new Some()).steps(4).saveCheckpoints(checkpoints).resume().model();
    assertThat(resumed.table("a").writtenRows()).isEqualTo(2);
    String path = directory.resolve("none").toString();
    trained.model().save(path);
    assertThat(EmbeddingModel.load(spark, path, spec).spec()).isEqualTo(spec.inPartitions(2));
  }

  /** A row of table a in even steps, and of table b, if there is one, in odd ones. */
  private record Some() implements ModelStep<Long> {
    @Override
    public Map<String, long[]> ids(Long step) {
      return step % 2 == 0 ? Map.of("a", new long[] {step}) : Map.of();
    }

    @Override
    public Loss step(Long step, ModelRows rows) {
      if (step % 2 == 0) {
        rows.table("a").gradients()[0] = 1;
      }
      return new Loss(0, 1);
    }
  }

  /** One row of each table, of which the gradient is the number of the table. */
  private record Every(int tables) implements ModelStep<Long> {
    @Override
    public Map<String, long[]> ids(Long step) {
      Map<String, long[]> ids = new LinkedHashMap<>();
      for (int i = (int) (step % 2); i < tables; i += 2) {
        ids.put("t" + i, new long[] {step});
      }
      return ids;
    }

    @Override
    public Loss step(Long step, ModelRows rows) {
      rows.tables()
          .forEach(
              (name, table) -> {
                if (table.count() > 0) {
                  table.gradients()[table.dim() - 1] = Integer.parseInt(name.substring(1));
                }
              });
      return new Loss(0, 1);
    }
  }

  @Test
  void aModelOfAHundredTablesOfDifferentKinds() {
    int tables = 100;
    ModelSpec spec = ModelSpec.empty().withPartitions(2);
    for (int i = 0; i < tables; i++) {
      EmbeddingSpec table =
          i % 3 == 0
              ? EmbeddingSpec.keyed(1 + i % 5, Optimizer.sgd(1))
                  .withAdmission(RowAdmission.after(1 + i % 2))
              : EmbeddingSpec.of(1000, 1 + i % 5, Optimizer.sgd(1))
                  .withDType(i % 3 == 1 ? DType.FLOAT16 : DType.FLOAT32);
      spec = spec.withTable("t" + i, table);
    }
    EmbeddingModel trained =
        EmbeddingModel.create(spark, spec)
            .train(Batches.generated(1, (step, shard) -> step), new Every(tables))
            .steps(4)
            .stepsPerJob(2)
            .run()
            .model();
    for (int i : new int[] {1, 2, 50, 98}) {
      int dim = trained.table("t" + i).dim();
      float[] weights = (float[]) row(trained, "t" + i, 2 + i % 2);
      assertThat(weights).hasSize(dim);
      assertThat(weights[dim - 1]).isEqualTo(-i);
    }
    assertThat(trained.table("t6").writtenRows()).isEqualTo(2); // at once
    assertThat(trained.table("t3").writtenRows()).isZero(); // in their second step
  }

  private static Object row(EmbeddingModel model, String table, long id) {
    return model.fetch(Map.of(table, new long[] {id})).table(table).values();
  }

  @Test
  void deltasOfATableOfAModelAreThoseOfTheTable() {
    EmbeddingSpec rows = EmbeddingSpec.keyed(2, Optimizer.adam(0.1)).withRowUsage();
    ModelSpec spec =
        ModelSpec.empty().withTable("t0", rows).withTable("t1", rows).withPartitions(2);
    Batches<Long> batches = Batches.generated(1, (step, shard) -> step % 6);
    EmbeddingModel two =
        EmbeddingModel.create(spark, spec).train(batches, new Every(2)).steps(6).run().model();
    String path = directory.resolve("t1").toString();
    two.table("t1").save(path);
    EmbeddingModel four = two.train(batches, new Every(2)).steps(4).run().model();
    four.table("t1").saveDelta(path);
    EmbeddingTable evicted = four.table("t1").evict(RowEviction.idle(2)).table();
    evicted.saveDelta(path);
    EmbeddingModel rest = four.with("t1", evicted);
    EmbeddingModel loaded = four.with("t1", EmbeddingTable.load(spark, path));
    assertThat(loaded.table("t1").writtenRows())
        .isEqualTo(rest.table("t1").writtenRows())
        .isLessThan(3);
    EmbeddingModel expected = train(rest, batches);
    EmbeddingModel next = train(loaded, batches);
    assertThat(row(next, "t1", 3)).isEqualTo(row(expected, "t1", 3));
    assertThat(row(next, "t0", 4)).isEqualTo(row(expected, "t0", 4));
  }

  /** A delta without steps is added to the directory of a table of a saved model. */
  @Test
  void tablesOfALoadedModelHaveTheSameNumberOfPartitions() throws IOException {
    EmbeddingSpec rows = EmbeddingSpec.keyed(2, Optimizer.adam(0.1)).withRowUsage();
    ModelSpec spec =
        ModelSpec.empty().withTable("t0", rows).withTable("t1", rows).withPartitions(2);
    Batches<Long> batches = Batches.generated(1, (step, shard) -> step % 6);
    EmbeddingModel saved = train(EmbeddingModel.create(spark, spec), batches);
    Path path = directory.resolve("model");
    saved.save(path.toString());
    try (Stream<Path> all = Files.list(path)) {
      String table = all.filter(file -> file.toString().contains("t1")).toList().get(0).toString();
      EmbeddingTable.load(spark, table).repartition(3).saveDelta(table);
      assertThat(EmbeddingTable.load(spark, table).partitions()).isEqualTo(3);
    }
    EmbeddingModel loaded = EmbeddingModel.load(spark, path.toString());
    assertThat(loaded.table("t1").partitions()).isEqualTo(2);
    EmbeddingModel expected = train(saved, batches);
    EmbeddingModel next = train(loaded, batches);
    for (String name : List.of("t0", "t1")) {
      assertThat(StoredTables.rows(next.table(name)))
          .isEqualTo(StoredTables.rows(expected.table(name)));
    }
  }

  private static EmbeddingModel train(EmbeddingModel model, Batches<Long> batches) {
    return model.train(batches, new Every(2)).steps(6).run().model();
  }

  @Test
  void parametersThatDoNotFitTogetherAreAnError() {
    DenseSpec large =
        DenseSpec.of(Optimizer.sgd(1)).with("a", Shape.of(1 << 30), Initializer.zeros());
    assertThatThrownBy(() -> large.with("b", Shape.of(1 << 30), Initializer.zeros()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("'b'");
  }
}
