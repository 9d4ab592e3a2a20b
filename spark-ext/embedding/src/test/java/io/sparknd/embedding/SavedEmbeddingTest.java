/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerRule;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowRule;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which optimizers a saved table goes on with. */
class SavedEmbeddingTest {
  private static final Pulls MODEL = new Pulls(12, 3);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private static EmbeddingSpec spec(Optimizer optimizer) {
    return EmbeddingSpec.of(300, 4, optimizer)
        .withInitializer(Initializer.uniform(-1, 1, 5))
        .withPartitions(2);
  }

  private static EmbeddingTable train(EmbeddingTable table, int steps) {
    return table
        .train(Batches.generated(1, MODEL::batch), MODEL)
        .steps(steps)
        .stepsPerJob(1)
        .run()
        .table();
  }

  /** Returns the directory of a table that was trained for three steps and saved. */
  private String saved(EmbeddingSpec spec) {
    String path = directory.resolve("t").toString();
    train(EmbeddingTable.create(spark, spec), 3).save(path);
    return path;
  }

  /** The files were written before state had a dtype. */
  @Test
  void tableSavedWithoutStateDTypeGoesOnWithTheSameBits() throws URISyntaxException {
    String old =
        Path.of(
                Objects.requireNonNull(SavedEmbeddingTest.class.getResource("/saved/float32"))
                    .toURI())
            .toString();
    EmbeddingTable loaded = EmbeddingTable.load(spark, old);
    EmbeddingSpec spec = spec(Optimizer.adam(0.1));
    assertThat(loaded.spec()).isEqualTo(spec);
    assertThat(loaded.steps()).isEqualTo(3);
    EmbeddingTable whole = train(EmbeddingTable.create(spark, spec), 5);
    TensorAssert.assertSameBits(train(loaded, 2).weights().collect(), whole.weights().collect());
  }

  @Test
  void stateDTypeIsSaved() throws IOException {
    EmbeddingSpec spec = spec(Optimizer.adam(0.1)).withStateDType(DType.BFLOAT16);
    String saved = saved(spec);
    assertThat(Files.readString(Path.of(saved, "embedding.json")))
        .contains("\"stateDType\" : \"bfloat16\"");
    EmbeddingTable loaded = EmbeddingTable.load(spark, saved);
    assertThat(loaded.spec()).isEqualTo(spec);
    TensorAssert.assertSameBits(
        train(loaded.repartition(3), 2).weights().collect(),
        train(EmbeddingTable.create(spark, spec), 5).weights().collect());
  }

  /** What only runs jobs keeps no copy of a version that is closed. */
  @Test
  void nothingDependsOnATableThatWasSaved() {
    EmbeddingTable table = EmbeddingTable.create(spark, spec(Optimizer.adam(0.1)));
    table.save(directory.resolve("t").toString());
    assertThat(table.writtenRows()).isZero();
    Pulls model = new Pulls(table.rows(), 10);
    assertThat(
            TrainingValidation.loss(Batches.generated(2, model::batch), model, 9).evaluate(table))
        .hasSize(1);
    Dataset<Row> queries = spark.sql("SELECT 1 AS id, 'a' AS embedding");
    assertRefused(() -> table.nearest(queries, 3, VectorMetric.COSINE), "embedding");
    assertRefused(
        () -> table.lookup(Lookup.sum(), queries, LookupColumns.of("embedding")), "embedding");
    assertThat(table.hasDependents()).isFalse();
    assertThat(table.toDataset().columns()).isNotEmpty();
    assertThat(table.hasDependents()).isTrue();
  }

  @Test
  void stateThatCannotBeNarrowIsRefused() {
    EmbeddingSpec adam = spec(Optimizer.adam(1));
    assertRefused(() -> adam.withStateDType(DType.FLOAT16), "optimizer state of float16");
    for (Optimizer other :
        List.of(Optimizer.sgd(1), Optimizer.rowWiseAdagrad(1), Optimizer.ftrl(1))) {
      assertRefused(
          () -> spec(other).withStateDType(DType.BFLOAT16),
          "optimizer state of bfloat16 would save nothing");
    }
  }

  @Test
  void tableGoesOnWithAnotherOptimizerOfTheSameSlots() {
    String saved = saved(spec(Optimizer.adam(0.1)));
    Optimizer slower = Optimizer.adamW(0.001);
    EmbeddingTable loaded = EmbeddingTable.load(spark, saved, slower);
    assertThat(loaded.optimizer()).isEqualTo(slower);
    assertThat(train(loaded, 1).steps()).isEqualTo(4);
    assertRefused(
        () -> EmbeddingTable.load(spark, saved, Optimizer.momentum(0.1, 0.9)),
        saved,
        "name=m, width=ELEMENT",
        "name=velocity");
    assertRefused(() -> EmbeddingTable.load(spark, saved, Optimizer.sgd(0.1)), "the same slots");
  }

  @Test
  void initialValuesOfSlotsMustAgree() {
    String saved = saved(spec(Optimizer.adagrad(0.1)));
    assertRefused(
        () -> EmbeddingTable.load(spark, saved, Optimizer.adagrad(0.1).withInitialAccumulator(0.2)),
        "initial=0.1",
        "initial=0.2");
  }

  /** Momentum as a rule of an application. */
  record Heavy(float share) implements OptimizerRule {
    @Override
    public String name() {
      return "heavy";
    }

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(OptimizerSlot.element("velocity", 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        for (int i = 0; i < weights.length; i++) {
          state[0][i] = share * state[0][i] - (float) rate * gradient[i];
          weights[i] += state[0][i];
        }
      };
    }
  }

  @Test
  void ruleOfAnApplicationIsPassedAgainToTrainOn() throws IOException {
    Optimizer heavy = Optimizer.custom(0.02, new Heavy(0.9f)).withL2(0.01);
    String saved = saved(spec(heavy));
    assertThat(Files.readString(Path.of(saved, "embedding.json")))
        .contains("\"heavy\"")
        .doesNotContain("Heavy", "0.9");
    EmbeddingTable builtIn =
        EmbeddingTable.create(spark, spec(Optimizer.momentum(0.02, 0.9).withL2(0.01)));
    EmbeddingTable loaded = EmbeddingTable.load(spark, saved, heavy);
    TensorAssert.assertSameBits(
        train(loaded, 2).weights().collect(), train(builtIn, 5).weights().collect());
  }

  @Test
  void tableLoadedWithoutItsRuleIsReadNotTrained() {
    String saved = saved(spec(Optimizer.custom(0.02, new Heavy(0.9f))));
    EmbeddingTable loaded = EmbeddingTable.load(spark, saved);
    assertThat(loaded.weights().collect().shape().dim(0)).isEqualTo(300);
    String message = "the optimizer rule 'heavy' of an application";
    assertRefused(() -> train(loaded, 1), message, "EmbeddingTable.load(spark, directory,");
    assertRefused(
        () -> loaded.apply(spark.emptyDataFrame(), TensorColumns.of("gradient", "id")), message);
  }

  private static void assertRefused(ThrowingCallable call, String... messages) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(messages);
  }
}
