/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The definition of a model of several tables and dense parameters.
 *
 * @param tables definitions of the tables by name, in order
 * @param dense dense parameters; none by default
 * @param partitions partitions of each table; 0 for those of the tables' definitions, or for
 *     Spark's default parallelism if these have none
 */
public record ModelSpec(Map<String, EmbeddingSpec> tables, DenseSpec dense, int partitions) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

  public ModelSpec {
    tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    tables.keySet().forEach(ModelSpec::checkName);
    if (partitions < 0) {
      throw TrainingErrors.badTraining("partitions", partitions);
    }
  }

  static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw ModelErrors.badModelName(name);
    }
  }

  /** Returns a definition without tables and parameters. */
  public static ModelSpec empty() {
    return new ModelSpec(Map.of(), DenseSpec.of(Optimizer.sgd(1)), 0);
  }

  /**
   * Adds a table.
   *
   * @param name letters, digits, {@code _}, {@code -} and {@code .}
   */
  public ModelSpec withTable(String name, EmbeddingSpec spec) {
    if (tables.containsKey(name)) {
      throw ModelErrors.nameTaken("table", name);
    }
    Map<String, EmbeddingSpec> all = new LinkedHashMap<>(tables);
    all.put(name, spec);
    return new ModelSpec(all, dense, partitions);
  }

  /** Replaces the dense parameters. */
  public ModelSpec withDense(DenseSpec other) {
    return new ModelSpec(tables, other, partitions);
  }

  /**
   * Sets the number of partitions of each table.
   *
   * @param count 0 for that of the tables' definitions, or for Spark's default parallelism
   */
  public ModelSpec withPartitions(int count) {
    return new ModelSpec(tables, dense, count);
  }

  /** Returns the definitions of all tables; that of dense parameters is last, if there are any. */
  List<EmbeddingSpec> all() {
    List<EmbeddingSpec> all = new ArrayList<>(tables.values());
    if (!dense.parameters().isEmpty()) {
      all.add(DenseLayout.table(dense));
    }
    return all;
  }

  /**
   * Returns the number of partitions of each table; 0 if none is set.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no table, or partitions differ
   */
  int chosenPartitions() {
    Set<Integer> set = new TreeSet<>();
    all().forEach(spec -> set.add(spec.partitions()));
    if (set.isEmpty()) {
      throw ModelErrors.emptyModel();
    }
    set.add(partitions);
    set.remove(0);
    if (set.size() > 1) {
      throw ModelErrors.modelPartitions(set);
    }
    return set.isEmpty() ? 0 : set.iterator().next();
  }

  /** Returns the definition with the given partitions in all places. */
  ModelSpec inPartitions(int count) {
    Map<String, EmbeddingSpec> all = new LinkedHashMap<>();
    tables.forEach((name, spec) -> all.put(name, spec.withPartitions(count)));
    return new ModelSpec(all, dense, count);
  }

  /** Returns the definition with another definition of one table. */
  ModelSpec replacing(String name, EmbeddingSpec spec) {
    Map<String, EmbeddingSpec> all = new LinkedHashMap<>(tables);
    all.replace(name, spec);
    return new ModelSpec(all, dense, partitions);
  }
}
