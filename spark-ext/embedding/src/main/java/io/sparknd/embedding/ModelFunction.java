/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.MiniBatchRows;
import io.sparknd.embedding.internal.step.ShardFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls a model step.
 *
 * @param names names of the tables, in their order; the table of dense parameters comes after them,
 *     if there are parameters
 * @param dense may have no places
 */
record ModelFunction<B>(List<String> names, DenseLayout dense, ModelStep<B> step)
    implements ShardFunction<B> {
  ModelFunction(ModelSpec spec, ModelStep<B> step) {
    this(List.copyOf(spec.tables().keySet()), DenseLayout.of(spec.dense()), step);
  }

  private boolean isDense() {
    return !dense.places().isEmpty();
  }

  @Override
  public List<long[]> ids(B batch) {
    Map<String, long[]> ids = step.ids(batch);
    if (ids == null) {
      throw TrainingErrors.noIds("of a mini-batch");
    }
    ids.forEach(this::require);
    List<long[]> all = new ArrayList<>();
    names.forEach(name -> all.add(ids.getOrDefault(name, new long[0])));
    if (isDense()) {
      all.add(dense.ids());
    }
    return all;
  }

  private void require(String name, long @Nullable [] ids) {
    if (!names.contains(name)) {
      throw ModelErrors.noSuchName("table", name, names);
    }
    if (ids == null) {
      throw TrainingErrors.noIds("of table '" + name + "'");
    }
  }

  @Override
  public @Nullable LossSum step(B batch, List<MiniBatchRows> rows) {
    Map<String, EmbeddingRows> tables = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      tables.put(names.get(i), new EmbeddingRows(rows.get(i)));
    }
    if (!isDense()) {
      return Loss.sumOf(step.step(batch, new ModelRows(tables, Map.of())));
    }
    MiniBatchRows last = rows.get(names.size()); // its rows are its ids
    Map<String, DenseParameter> parameters = dense.parameters(last.values());
    Loss loss = step.step(batch, new ModelRows(tables, parameters));
    dense.copyGradients(parameters, last.gradients());
    return Loss.sumOf(loss);
  }
}
