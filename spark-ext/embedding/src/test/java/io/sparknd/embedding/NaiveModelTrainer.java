/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.optimizer.Optimizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A reference for trainings of models: a naive trainer for each table, and each dense parameter as
 * one array with one update a step.
 */
final class NaiveModelTrainer {
  private final ModelSpec spec;
  private final Map<String, NaiveTrainer> tables = new LinkedHashMap<>();
  private final Map<String, float[]> parameters = new LinkedHashMap<>();
  private final Map<String, float[][]> states = new LinkedHashMap<>();
  private long steps;
  final List<Double> losses = new ArrayList<>();

  NaiveModelTrainer(ModelSpec spec) {
    this.spec = spec;
    spec.tables().forEach((name, table) -> tables.put(name, new NaiveTrainer(table)));
    long row = 0;
    for (DenseSpec.Parameter parameter : spec.dense().parameters()) {
      int elements = (int) parameter.shape().elements();
      float[] padded = new float[(elements + 255) / 256 * 256];
      for (int at = 0; at < padded.length; at += 256) {
        parameter.initializer().fill(row++, padded, at, 256);
      }
      parameters.put(parameter.name(), Arrays.copyOf(padded, elements));
      float[][] state = new float[spec.dense().optimizer().slots().size()][elements];
      for (int slot = 0; slot < state.length; slot++) {
        Arrays.fill(state[slot], spec.dense().optimizer().slots().get(slot).initial());
      }
      states.put(parameter.name(), state);
    }
  }

  NaiveTrainer table(String name) {
    return tables.get(name);
  }

  Map<String, float[]> parameters() {
    return parameters;
  }

  void train(Bilinear model, int shards, int count, int perJob) {
    long end = steps + count;
    while (steps < end) {
      Map<String, Map<Long, float[]>> seen = new LinkedHashMap<>();
      tables.forEach((name, table) -> seen.put(name, table.written()));
      Map<String, float[]> dense = new LinkedHashMap<>();
      parameters.forEach((name, values) -> dense.put(name, values.clone()));
      int some = (int) Math.min(perJob - steps % perJob, end - steps);
      for (int i = 0; i < some; i++) {
        step(model, shards, seen, dense);
      }
    }
  }

  private void step(
      Bilinear model,
      int shards,
      Map<String, Map<Long, float[]>> seen,
      Map<String, float[]> dense) {
    Map<String, Map<Long, float[]>> sums = new LinkedHashMap<>();
    tables.keySet().forEach(name -> sums.put(name, new TreeMap<>()));
    Map<String, float[]> denseSums = new LinkedHashMap<>();
    double loss = 0;
    for (int shard = 0; shard < shards; shard++) {
      long[] batch = model.batch(steps, shard);
      ModelRows rows = rows(model, batch, seen, dense);
      loss += model.step(batch, rows).sum();
      rows.tables().forEach((name, table) -> add(table, sums.get(name)));
      rows.parameters()
          .forEach(
              (name, parameter) -> denseSums.merge(name, parameter.gradients(), NaiveTrainer::sum));
    }
    losses.add(loss);
    tables.forEach(
        (name, table) -> table.apply(spec.tables().get(name).optimizer(), sums.get(name)));
    Optimizer optimizer = spec.dense().optimizer();
    denseSums.forEach(
        (name, gradient) ->
            optimizer
                .update(steps, gradient.length)
                .apply(parameters.get(name), 0, states.get(name), 0, gradient, 0));
    steps++;
  }

  private ModelRows rows(
      Bilinear model,
      long[] batch,
      Map<String, Map<Long, float[]>> seen,
      Map<String, float[]> dense) {
    Map<String, EmbeddingRows> rows = new LinkedHashMap<>();
    Map<String, long[]> ids = model.ids(batch);
    tables.forEach(
        (name, table) -> {
          NaiveTrainer initial = new NaiveTrainer(spec.tables().get(name));
          rows.put(
              name,
              EmbeddingRows.of(
                  ids.get(name),
                  spec.tables().get(name).dim(),
                  id ->
                      seen.get(name).containsKey(id)
                          ? seen.get(name).get(id)
                          : initial.weights(id)));
        });
    List<DenseParameter> parts = new ArrayList<>();
    for (DenseSpec.Parameter parameter : spec.dense().parameters()) {
      parts.add(
          new DenseParameter(parameter.name(), parameter.shape(), dense.get(parameter.name())));
    }
    return ModelRows.of(rows, parts);
  }

  private static void add(EmbeddingRows rows, Map<Long, float[]> sums) {
    int dim = rows.dim();
    for (int slot = 0; slot < rows.count(); slot++) {
      float[] own = Arrays.copyOfRange(rows.gradients(), slot * dim, (slot + 1) * dim);
      sums.merge(rows.id(slot), own, NaiveTrainer::sum);
    }
  }
}
