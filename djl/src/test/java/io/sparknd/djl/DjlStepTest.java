/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.norm.LayerNorm;
import ai.djl.pytorch.engine.PtNDArray;
import io.sparknd.LocalSpark;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.DenseParameter;
import io.sparknd.embedding.DenseSpec;
import io.sparknd.embedding.EmbeddingModel;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.ModelRows;
import io.sparknd.embedding.ModelSpec;
import io.sparknd.embedding.TrainedModel;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Tests gradients by PyTorch, and trainings with them. */
class DjlStepTest {
  private static final int DIM = 3;
  private static final int HIDDEN = 4;

  /** Pairs of a user and an item; whether the user likes the item is the parity of their sum. */
  private record Mlp() implements DjlModel<long[]> {
    @Override
    public Map<String, long[]> ids(long[] batch) {
      return Map.of("users", every(batch, 0), "items", every(batch, 1));
    }

    private static long[] every(long[] batch, int first) {
      long[] ids = new long[batch.length / 2];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = batch[2 * i + first];
      }
      return ids;
    }

    @Override
    public long examples(long[] batch) {
      return batch.length / 2;
    }

    NDArray scores(ModelArrays arrays) {
      NDArray both =
          NDArrays.concat(new NDList(arrays.embeddings("users"), arrays.embeddings("items")), 1);
      NDArray hidden = Activation.tanh(arrays.linear("hidden", both));
      return arrays.linear("out", hidden).squeeze(1);
    }

    @Override
    public NDArray loss(long[] batch, ModelArrays arrays) {
      float[] labels = new float[batch.length / 2];
      for (int i = 0; i < labels.length; i++) {
        labels[i] = (batch[2 * i] + batch[2 * i + 1]) % 2;
      }
      NDArray errors = scores(arrays).sub(arrays.manager().create(labels));
      return errors.mul(errors).sum();
    }
  }

  private static ModelSpec spec(int partitions) {
    return ModelSpec.empty()
        .withTable("users", table(1))
        .withTable("items", table(2))
        .withDense(
            DenseSpec.of(Optimizer.adam(0.01))
                .withLinear("hidden", 2 * DIM, HIDDEN, 3)
                .withLinear("out", HIDDEN, 1, 4))
        .withPartitions(partitions);
  }

  private static EmbeddingSpec table(long seed) {
    return EmbeddingSpec.of(20, DIM, Optimizer.adagrad(0.1))
        .withInitializer(Initializer.uniform(-1, 1, seed));
  }

  private static long[] batch(long step, int shard) {
    SplittableRandom random = new SplittableRandom(31 * step + shard);
    return random.longs(16, 0, 20).toArray();
  }

  private static float[] values(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  private static ModelRows rows(long[] batch) {
    Map<String, long[]> ids = new Mlp().ids(batch);
    return ModelRows.of(
        Map.of(
            "users", EmbeddingRows.of(ids.get("users"), DIM, id -> values(DIM, id)),
            "items", EmbeddingRows.of(ids.get("items"), DIM, id -> values(DIM, 100 + id))),
        List.of(
            new DenseParameter("hidden.weight", Shape.of(HIDDEN, 2 * DIM), values(24, 1000)),
            new DenseParameter("hidden.bias", Shape.of(HIDDEN), values(4, 1001)),
            new DenseParameter("out.weight", Shape.of(1, HIDDEN), values(4, 1002)),
            new DenseParameter("out.bias", Shape.of(1), values(1, 1003))));
  }

  /** Returns the loss in double, by loops. */
  private static double loss(long[] batch, ModelRows rows) {
    EmbeddingRows users = rows.table("users");
    EmbeddingRows items = rows.table("items");
    double loss = 0;
    for (int i = 0; i < batch.length / 2; i++) {
      double score = rows.dense("out.bias").values()[0];
      for (int h = 0; h < HIDDEN; h++) {
        double sum = rows.dense("hidden.bias").values()[h];
        for (int j = 0; j < 2 * DIM; j++) {
          float input =
              j < DIM
                  ? users.values()[users.slot(i) * DIM + j]
                  : items.values()[items.slot(i) * DIM + j - DIM];
          sum += (double) rows.dense("hidden.weight").values()[h * 2 * DIM + j] * input;
        }
        score += rows.dense("out.weight").values()[h] * Math.tanh(sum);
      }
      double error = score - (batch[2 * i] + batch[2 * i + 1]) % 2;
      loss += error * error;
    }
    return loss;
  }

  @Test
  void gradientsAreDifferencesOfTheLoss() {
    long[] batch = batch(1, 0);
    ModelRows rows = rows(batch);
    Loss loss = new DjlStep<>(new Mlp()).step(batch, rows);
    assertThat(loss.sum()).isCloseTo(loss(batch, rows), within(1e-4));
    assertThat(loss.examples()).isEqualTo(8);
    List<float[][]> all = new ArrayList<>();
    rows.tables().values().forEach(t -> all.add(new float[][] {t.values(), t.gradients()}));
    rows.parameters().values().forEach(p -> all.add(new float[][] {p.values(), p.gradients()}));
    for (float[][] pair : all) {
      for (int i = 0; i < pair[0].length && !Float.isNaN(pair[0][i]); i++) { // NaN: after the rows
        float before = pair[0][i];
        float step = 0x1p-7f;
        pair[0][i] = before + step;
        double above = loss(batch, rows);
        pair[0][i] = before - step;
        double below = loss(batch, rows);
        pair[0][i] = before;
        assertThat((double) pair[1][i]).isCloseTo((above - below) / (2 * step), within(5e-3));
      }
    }
  }

  private static TrainedModel trained(int partitions, int steps) {
    return EmbeddingModel.create(LocalSpark.session(), spec(partitions))
        .train(Batches.generated(2, DjlStepTest::batch), new DjlStep<>(new Mlp()))
        .steps(steps)
        .run();
  }

  /** Two tasks at a time compute gradients. */
  @Test
  void trainingsHaveTheSameBitsAtEveryNumberOfPartitions() {
    TrainedModel one = trained(1, 20);
    TrainedModel three = trained(3, 20);
    assertThat(three.model().parameters()).isEqualTo(one.model().parameters());
    assertThat(three.model().table("users").weights().collect())
        .isEqualTo(one.model().table("users").weights().collect());
    assertThat(one.history().loss(3)).isLessThan(one.history().steps().get(0).loss().mean());
  }

  /** A shard has none of the last examples of an epoch if there are fewer than shards. */
  @Test
  void aPartWithoutExamplesHasNoLossAndNoGradients() {
    ModelRows rows = rows(new long[0]);
    Loss loss = new DjlStep<>(new Mlp()).step(new long[0], rows);
    assertThat(loss).isEqualTo(new Loss(0, 0));
    for (DenseParameter parameter : rows.parameters().values()) {
      assertThat(parameter.gradients()).containsOnly(0);
    }
  }

  @Test
  void fetchedRowsGiveThePredictionsOfTheModel() {
    EmbeddingModel model = trained(2, 2).model();
    long[] batch = batch(50, 0);
    ModelRows rows = model.fetch(new Mlp().ids(batch));
    float[] scores = DjlStep.evaluate(rows, arrays -> new Mlp().scores(arrays));
    double loss = 0;
    for (int i = 0; i < scores.length; i++) {
      double error = scores[i] - (batch[2 * i] + batch[2 * i + 1]) % 2;
      loss += error * error;
    }
    assertThat(scores).hasSize(8);
    assertThat(loss).isCloseTo(loss(batch, rows), within(1e-4));
  }

  @Test
  void aBlockComputesWithTheDenseParametersOfTheModel() {
    BlockLayer.Factory factory =
        () ->
            new SequentialBlock()
                .add(Linear.builder().setUnits(HIDDEN).build())
                .add(Activation::tanh)
                .add(Linear.builder().setUnits(1).build());
    BlockLayer layer = new BlockLayer("top", factory);
    DenseSpec spec =
        layer.addTo(DenseSpec.of(Optimizer.sgd(1)), 5, new ai.djl.ndarray.types.Shape(1, 2 * DIM));
    assertThat(spec.parameters())
        .extracting(DenseSpec.Parameter::shape)
        .containsExactly(
            Shape.of(HIDDEN, 2 * DIM), Shape.of(HIDDEN), Shape.of(1, HIDDEN), Shape.of(1));
    long[] batch = batch(1, 0);
    ModelRows model = rows(batch);
    List<DenseParameter> given = List.copyOf(model.parameters().values());
    List<DenseParameter> renamed = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String name = spec.parameters().get(i).name();
      renamed.add(new DenseParameter(name, given.get(i).shape(), given.get(i).values()));
    }
    IntFunction<float[]> scores =
        which ->
            which == 0
                ? DjlStep.evaluate(model, arrays -> new Mlp().scores(arrays))
                : DjlStep.evaluate(
                    ModelRows.of(model.tables(), renamed),
                    arrays ->
                        layer.apply(
                            arrays,
                            NDArrays.concat(
                                new NDList(arrays.embeddings("users"), arrays.embeddings("items")),
                                1)));
    assertThat(scores.apply(1)).isEqualTo(scores.apply(0));
  }

  @Test
  void aBlockMayNormalizeItsLayers() {
    BlockLayer layer = new BlockLayer("norm", () -> LayerNorm.builder().build());
    DenseSpec none = DenseSpec.of(Optimizer.sgd(1));
    assertThat(layer.addTo(none, 5, new ai.djl.ndarray.types.Shape(1, 2, DIM)).parameters())
        .extracting(DenseSpec.Parameter::initializer)
        .containsExactly(Initializer.constant(1), Initializer.constant(0));
    float[] ones = {1, 1, 1, 1, 1, 1};
    List<DenseParameter> parameters =
        List.of(
            new DenseParameter("norm.gamma", Shape.of(2 * DIM), ones),
            new DenseParameter("norm.beta", Shape.of(2 * DIM), new float[2 * DIM]));
    for (long[] batch : List.of(new long[0], batch(1, 0))) {
      int examples = batch.length / 2;
      ModelRows rows = ModelRows.of(rows(batch).tables(), parameters);
      float[] normalized = DjlStep.evaluate(rows, arrays -> normalized(layer, arrays));
      assertThat(normalized).hasSize(examples * 2 * DIM);
      for (int example = 0; example < examples; example++) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 2 * DIM; i++) {
          sum += normalized[example * 2 * DIM + i];
          squares += Math.pow(normalized[example * 2 * DIM + i], 2);
        }
        assertThat(sum).isCloseTo(0, within(1e-4));
        assertThat(squares / (2 * DIM)).isCloseTo(1, within(0.1));
      }
    }
  }

  private static NDArray normalized(BlockLayer layer, ModelArrays arrays) {
    NDList pair = new NDList(arrays.embeddings("users"), arrays.embeddings("items"));
    return layer.apply(arrays, NDArrays.concat(pair, 1));
  }

  @Test
  void aBlockWithStateIsAnError() {
    BlockLayer layer = new BlockLayer("top", () -> BatchNorm.builder().build());
    assertThatThrownBy(
            () ->
                layer.addTo(
                    DenseSpec.of(Optimizer.sgd(1)), 5, new ai.djl.ndarray.types.Shape(1, DIM)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("'top.runningMean' has no gradient");
  }

  /** A model whose loss is not a scalar, or that names what there is not. */
  private record Wrong(String table, String parameter) implements DjlModel<long[]> {
    @Override
    public Map<String, long[]> ids(long[] batch) {
      return new Mlp().ids(batch);
    }

    @Override
    public long examples(long[] batch) {
      return 1;
    }

    @Override
    public NDArray loss(long[] batch, ModelArrays arrays) {
      return arrays.embeddings(table).mul(arrays.dense(parameter).sum());
    }
  }

  @Test
  void errorsOfAModelNameWhatIsWrong() {
    assertWrong(new Wrong("users", "out.bias"), "(8, 3) float32");
    assertWrong(new Wrong("shops", "out.bias"), "no table 'shops'");
    assertWrong(new Wrong("users", "out"), "no parameter 'out'");
  }

  private static void assertWrong(Wrong model, String part) {
    long[] batch = batch(1, 0);
    assertThatThrownBy(() -> new DjlStep<>(model).step(batch, rows(batch)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(part);
  }

  /** A model that keeps its arrays, and may fail after it made them. */
  private record Kept(boolean isFailing) implements DjlModel<long[]> {
    private static final List<NDArray> MADE = new ArrayList<>();

    @Override
    public Map<String, long[]> ids(long[] batch) {
      return new Mlp().ids(batch);
    }

    @Override
    public long examples(long[] batch) {
      return 1;
    }

    @Override
    public NDArray loss(long[] batch, ModelArrays arrays) {
      MADE.add(arrays.dense("out.weight"));
      MADE.add(arrays.embeddings("users"));
      MADE.add(new Mlp().loss(batch, arrays));
      if (isFailing) {
        throw new IllegalStateException("after the product");
      }
      return MADE.get(MADE.size() - 1);
    }
  }

  @Test
  void stepsReleaseTheirArraysEvenIfTheyFail() {
    long[] batch = batch(1, 0);
    new DjlStep<>(new Kept(false)).step(batch, rows(batch));
    assertThatThrownBy(() -> new DjlStep<>(new Kept(true)).step(batch, rows(batch)))
        .hasMessageContaining("after the product");
    assertThat(Kept.MADE)
        .hasSize(6)
        .allSatisfy(made -> assertThat(((PtNDArray) made).isReleased()).isTrue());
  }

  @Test
  void anEmptyPartOfAMiniBatchHasNoLossAndNoGradient() {
    ModelRows rows = rows(new long[0]);
    Loss loss = new DjlStep<>(new Mlp()).step(new long[0], rows);
    assertThat(loss).isEqualTo(new Loss(0, 0));
    rows.parameters().values().forEach(one -> assertThat(one.gradients()).containsOnly(0));
  }

  @Test
  void parametersThatTheLossDoesNotDependOnHaveNoGradient() {
    try (NDManager manager = TorchGradients.manager()) {
      NDArray used = manager.create(new float[] {1, 2});
      NDArray unused = manager.create(new float[] {1, 2});
      assertThat(TorchGradients.backward(List.of(used, unused), () -> used.mul(used).sum()))
          .isEqualTo(5);
      assertThat(TorchGradients.gradient(used).toFloatArray()).containsExactly(2, 4);
      assertThat(TorchGradients.gradient(unused)).isNull();
      TorchGradients.backward(List.of(used), () -> used.mul(3).sum());
      assertThat(TorchGradients.gradient(used).toFloatArray()).containsExactly(3, 3);
      assertThatThrownBy(() -> TorchGradients.backward(List.of(unused), () -> manager.create(3f)))
          .hasMessageContaining("does not require grad");
    }
  }
}
