/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.Shape;
import io.sparknd.djl.ModelArrays;
import io.sparknd.djl.TorchGradients;
import io.sparknd.embedding.DenseParameter;
import io.sparknd.embedding.EmbeddingModel;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.ModelRows;
import io.sparknd.embedding.ModelSpec;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * The same model in plain PyTorch, in one thread: whole tables in memory, from the same initial
 * values, with the same optimizers.
 *
 * @param <B> a mini-batch
 */
final class TorchBaseline<B> implements AutoCloseable {
  private final ScoredModel<B> model;
  private final NDManager manager = TorchGradients.manager();
  private final Map<String, NDArray> tables = new LinkedHashMap<>();
  private final Map<String, NDArray> parameters = new LinkedHashMap<>();
  private final List<TorchParameter> weightsAndState = new ArrayList<>();

  TorchBaseline(ScoredModel<B> model, EmbeddingModel initial) {
    this.model = model;
    Map<String, long[]> ids = new LinkedHashMap<>();
    ModelSpec spec = initial.spec();
    spec.tables()
        .forEach((name, table) -> ids.put(name, LongStream.range(0, table.rows()).toArray()));
    ModelRows rows = initial.fetch(ids);
    for (Map.Entry<String, EmbeddingRows> entry : rows.tables().entrySet()) {
      EmbeddingRows table = entry.getValue();
      Shape shape = new Shape(table.count(), table.dim());
      Optimizer optimizer = spec.tables().get(entry.getKey()).optimizer();
      tables.put(entry.getKey(), added(table.values(), shape, optimizer));
    }
    for (DenseParameter parameter : rows.parameters().values()) {
      Shape shape = new Shape(parameter.shape().dims());
      parameters.put(parameter.name(), added(parameter.values(), shape, spec.dense().optimizer()));
    }
  }

  private NDArray added(float[] values, Shape shape, Optimizer optimizer) {
    NDArray weights = manager.create(values, shape);
    weightsAndState.add(TorchParameter.of(weights, optimizer));
    return weights;
  }

  /** Trains with the parts of mini-batches by step. */
  TorchBaseline<B> train(int steps, LongFunction<List<B>> batches) {
    for (int step = 0; step < steps; step++) {
      List<B> parts = batches.apply(step);
      try (NDScope scope = new NDScope();
          NDManager own = manager.newSubManager()) {
        scope.suppressNotUsedWarning(); // it closes all arrays of the step
        List<NDArray> weights = weightsAndState.stream().map(TorchParameter::weights).toList();
        TorchGradients.backward(weights, () -> loss(own, parts));
        for (TorchParameter one : weightsAndState) {
          one.update(step + 1);
        }
      }
    }
    return this;
  }

  private NDArray loss(NDManager own, List<B> parts) {
    return parts.stream()
        .map(part -> model.loss(part, arrays(own, part)))
        .reduce(NDArray::add)
        .orElseThrow();
  }

  private ModelArrays arrays(NDManager own, B batch) {
    return new ModelArrays(own, tables, model.ids(batch), parameters);
  }

  /** Returns the scores of examples. */
  float[] scores(B batch) {
    try (NDManager own = manager.newSubManager()) {
      return model.scores(batch, arrays(own, batch)).toFloatArray();
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
