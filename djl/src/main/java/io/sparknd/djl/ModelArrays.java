/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.core.Embedding;
import ai.djl.nn.core.Linear;
import io.sparknd.embedding.DenseParameter;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.ModelRows;
import io.sparknd.embedding.internal.ModelErrors;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The embeddings and dense parameters of one mini-batch, as arrays of PyTorch on the CPU. */
public final class ModelArrays {
  private final NDManager manager;
  private final Map<String, NDArray> tables;
  private final Map<String, long[]> rows;
  private final Map<String, NDArray> parameters;

  /**
   * Creates the arrays of a model from arrays of one's own, such as to train the same model without
   * Spark.
   *
   * @param manager owns the arrays that the model makes
   * @param tables {@code [rows, dim]}, by name
   * @param rows rows of the tables that the mini-batch names, in its order
   * @param parameters dense parameters by name
   */
  public ModelArrays(
      NDManager manager,
      Map<String, NDArray> tables,
      Map<String, long[]> rows,
      Map<String, NDArray> parameters) {
    this.manager = manager;
    this.tables = tables;
    this.rows = rows;
    this.parameters = parameters;
  }

  static ModelArrays of(NDManager manager, ModelRows model) {
    Map<String, NDArray> tables = new LinkedHashMap<>();
    Map<String, long[]> slots = new LinkedHashMap<>();
    model
        .tables()
        .forEach(
            (name, rows) -> {
              Shape shape = new Shape(rows.count(), rows.dim());
              // the array may be longer than the rows
              FloatBuffer values =
                  FloatBuffer.wrap(rows.values(), 0, Math.toIntExact(shape.size()));
              tables.put(name, manager.create(values, shape));
              slots.put(name, slots(rows));
            });
    Map<String, NDArray> parameters = new LinkedHashMap<>();
    for (DenseParameter parameter : model.parameters().values()) {
      Shape shape = new Shape(parameter.shape().dims());
      parameters.put(parameter.name(), manager.create(parameter.values(), shape));
    }
    return new ModelArrays(manager, tables, slots, parameters);
  }

  private static long[] slots(EmbeddingRows rows) {
    long[] slots = new long[rows.requested()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = rows.slot(i);
    }
    return slots;
  }

  /** Returns the manager of the step, which closes its arrays at the end of the step. */
  public NDManager manager() {
    return manager;
  }

  /**
   * Returns the embeddings of the ids of a mini-batch, {@code [ids, dim]}, in the order of {@link
   * DjlModel#ids}. Gradients of the same row are added up.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model has no such table
   */
  public NDArray embeddings(String table) {
    NDArray indices = manager.create(rows.getOrDefault(table, new long[0]));
    NDArray distinct = named("table", table, tables);
    return Embedding.embedding(indices, distinct, SparseFormat.DENSE).singletonOrThrow();
  }

  /**
   * Returns a dense parameter.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model has no such parameter
   */
  public NDArray dense(String name) {
    return named("parameter", name, parameters);
  }

  /**
   * Applies a linear layer, as {@code DenseSpec.withLinear} defines it: {@code input .
   * NAME.weight^T + NAME.bias}.
   *
   * @param input {@code [..., in]}
   * @return {@code [..., out]}
   */
  public NDArray linear(String name, NDArray input) {
    return Linear.linear(input, dense(name + ".weight"), dense(name + ".bias")).singletonOrThrow();
  }

  private static NDArray named(String kind, String name, Map<String, NDArray> arrays) {
    NDArray array = arrays.get(name);
    if (array == null) {
      throw ModelErrors.noSuchName(kind, name, arrays.keySet());
    }
    return array;
  }

  Map<String, NDArray> tables() {
    return tables;
  }

  Map<String, NDArray> parameters() {
    return parameters;
  }
}
