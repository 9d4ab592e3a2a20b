/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.table.reduction.VariableReduction;
import java.util.List;
import java.util.Optional;

/**
 * How rows update a feature table. Immutable; each call returns a new instance.
 *
 * @param variables names of the variables to update; empty for all columns of the rows beside the
 *     key
 * @param reduction reduction of all these variables; empty for the declared ones
 * @param orderBy columns that order rows of one key; rows equal in all of them are ordered by their
 *     values. If empty, row order
 * @param badKeys what happens to rows whose key is NULL or out of bounds
 */
public record FeatureUpdates(
    List<String> variables,
    Optional<VariableReduction> reduction,
    List<String> orderBy,
    BadKeys badKeys) {
  public FeatureUpdates {
    variables = List.copyOf(variables);
    orderBy = List.copyOf(orderBy);
  }

  /** Returns updates of all columns of the rows, by their declared reductions. */
  public static FeatureUpdates declared() {
    return new FeatureUpdates(List.of(), Optional.empty(), List.of(), BadKeys.ERROR);
  }

  /** Returns updates of some variables. */
  public static FeatureUpdates of(String... variables) {
    return new FeatureUpdates(List.of(variables), Optional.empty(), List.of(), BadKeys.ERROR);
  }

  /** Reduces all variables in this way, whatever they declare. */
  public FeatureUpdates by(VariableReduction how) {
    return new FeatureUpdates(variables, Optional.of(how), orderBy, badKeys);
  }

  public FeatureUpdates orderedBy(String... columns) {
    return new FeatureUpdates(variables, reduction, List.of(columns), badKeys);
  }

  /** Drops rows whose key is NULL or out of bounds. */
  public FeatureUpdates ignoringBadKeys() {
    return new FeatureUpdates(variables, reduction, orderBy, BadKeys.IGNORE);
  }
}
