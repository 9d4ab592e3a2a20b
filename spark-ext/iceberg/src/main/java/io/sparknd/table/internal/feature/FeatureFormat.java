/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What the rows of a feature table are.
 *
 * @param columns all columns that are not part of the key, in the order of the schema
 */
public record FeatureFormat(FeatureAxis axis, List<FeatureColumn> columns) implements Serializable {
  public FeatureFormat {
    columns = List.copyOf(columns);
  }

  /** Returns the format as tasks need it. */
  FeatureFormat forTasks() {
    return new FeatureFormat(axis, columns.stream().map(FeatureColumn::forTasks).toList());
  }

  /** Returns the variables: all columns that do not hold the state of another one. */
  public List<FeatureColumn> variables() {
    return columns.stream().filter(column -> !column.isState()).toList();
  }

  /** Returns the ordinal of a column in {@link #columns}, by its exact name. */
  public OptionalInt ordinal(String name) {
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).name().equals(name))
        .findFirst();
  }
}
