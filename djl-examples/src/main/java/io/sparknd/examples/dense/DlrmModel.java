/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.nn.Activation;
import io.sparknd.djl.ModelArrays;
import io.sparknd.embedding.DenseSpec;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.ModelSpec;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.Map;
import java.util.stream.IntStream;

/** DLRM (Naumov et al., 2019): embeddings, a bottom and a top MLP, and dot interactions. */
public record DlrmModel(int columns, int numbers, int features, int dim)
    implements ScoredModel<ClickExamples> {
  @Override
  public ModelSpec spec() {
    int vectors = columns + 1;
    int pairs = vectors * (vectors - 1) / 2;
    return ModelSpec.empty()
        .withTable(
            "features",
            EmbeddingSpec.of(features, dim, Optimizer.adagrad(0.1))
                .withInitializer(Initializer.uniform(-0.05, 0.05, 1)))
        .withDense(
            DenseSpec.of(Optimizer.adam(0.002))
                .withLinear("bottom.0", numbers, 32, 2)
                .withLinear("bottom.1", 32, dim, 3)
                .withLinear("top.0", pairs + dim, 32, 4)
                .withLinear("top.1", 32, 1, 5));
  }

  @Override
  public Map<String, long[]> ids(ClickExamples batch) {
    return Map.of("features", batch.ids());
  }

  @Override
  public long examples(ClickExamples batch) {
    return batch.count();
  }

  @Override
  public NDArray scores(ClickExamples batch, ModelArrays arrays) {
    NDArray input = arrays.manager().create(batch.numbers()).reshape(batch.count(), numbers);
    NDArray hidden = Activation.relu(arrays.linear("bottom.0", input));
    NDArray bottom = Activation.relu(arrays.linear("bottom.1", hidden));
    NDArray sparse = arrays.embeddings("features").reshape(batch.count(), columns, dim);
    NDArray all = NDArrays.concat(new NDList(bottom.expandDims(1), sparse), 1);
    NDArray dots = all.matMul(all.transpose(0, 2, 1)).reshape(batch.count(), -1);
    NDArray pairs = dots.get(":, {}", arrays.manager().create(lowerTriangle(columns + 1)));
    NDArray both = NDArrays.concat(new NDList(pairs, bottom), 1);
    return arrays.linear("top.1", Activation.relu(arrays.linear("top.0", both))).squeeze(1);
  }

  @Override
  public NDArray loss(ClickExamples batch, ModelArrays arrays) {
    NDArray scores = scores(batch, arrays);
    NDArray labels = arrays.manager().create(batch.labels());
    return Activation.softPlus(scores).sub(scores.mul(labels)).sum();
  }

  private static long[] lowerTriangle(int n) {
    return IntStream.range(0, n * n).filter(i -> i % n < i / n).asLongStream().toArray();
  }
}
