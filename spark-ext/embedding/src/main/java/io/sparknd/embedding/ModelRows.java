/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.ModelErrors;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows and the dense parameters of a model in one mini-batch, and their gradients. */
public final class ModelRows {
  private final Map<String, EmbeddingRows> tables;
  private final Map<String, DenseParameter> parameters;

  ModelRows(Map<String, EmbeddingRows> tables, Map<String, DenseParameter> parameters) {
    this.tables = Collections.unmodifiableMap(tables);
    this.parameters = Collections.unmodifiableMap(parameters);
  }

  /**
   * Returns rows and parameters to test a {@link ModelStep} without a model.
   *
   * @param tables rows by the name of the table, see {@link EmbeddingRows#of}
   */
  public static ModelRows of(Map<String, EmbeddingRows> tables, List<DenseParameter> parameters) {
    Map<String, DenseParameter> byName = new LinkedHashMap<>();
    parameters.forEach(parameter -> byName.put(parameter.name(), parameter));
    return new ModelRows(new LinkedHashMap<>(tables), byName);
  }

  /**
   * Returns the rows that {@link ModelStep#ids} requested of a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model has no such table
   */
  public EmbeddingRows table(String name) {
    EmbeddingRows rows = tables.get(name);
    if (rows == null) {
      throw ModelErrors.noSuchName("table", name, tables.keySet());
    }
    return rows;
  }

  /**
   * Returns a dense parameter.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model has no such parameter
   */
  public DenseParameter dense(String name) {
    DenseParameter parameter = parameters.get(name);
    if (parameter == null) {
      throw ModelErrors.noSuchName("parameter", name, parameters.keySet());
    }
    return parameter;
  }

  /** Returns the rows of all tables by name, in the order of {@link ModelSpec}. */
  public Map<String, EmbeddingRows> tables() {
    return tables;
  }

  /** Returns all dense parameters by name, in the order of {@link DenseSpec}. */
  public Map<String, DenseParameter> parameters() {
    return parameters;
  }
}
