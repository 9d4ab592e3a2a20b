/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.feed;

import io.sparknd.embedding.internal.FeedErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The columns of a Dataset that a model is trained with. Columns are found by name, with the case
 * sensitivity of the session; a name with a dot is not a field of a struct. Features of each kind
 * have the order in which they were added.
 *
 * @param label column of numbers or booleans; empty if there is none. A null is an error
 * @param dense numeric features
 * @param categorical features with one id per row
 * @param multiValued features with a list of ids per row
 */
public record TrainingColumns(
    Optional<String> label,
    List<Dense> dense,
    List<Categorical> categorical,
    List<Categorical> multiValued) {
  public TrainingColumns {
    dense = List.copyOf(dense);
    categorical = List.copyOf(categorical);
    multiValued = List.copyOf(multiValued);
    requireDistinct(label, dense, categorical, multiValued);
  }

  private static void requireDistinct(
      Optional<String> label,
      List<Dense> dense,
      List<Categorical> categorical,
      List<Categorical> multiValued) {
    Set<String> seen = new HashSet<>(label.stream().toList());
    Stream.of(
            dense.stream().map(Dense::column),
            categorical.stream().map(Categorical::column),
            multiValued.stream().map(Categorical::column))
        .flatMap(columns -> columns)
        .filter(column -> !seen.add(column))
        .findFirst()
        .ifPresent(
            column -> {
              throw FeedErrors.duplicateFeature(column);
            });
  }

  /**
   * A numeric feature.
   *
   * @param column column of numbers or booleans, rounded to float32; NaN stays NaN
   * @param missing the value of a null; empty if a null is an error
   */
  public record Dense(String column, Optional<Float> missing) {}

  /**
   * A feature of ids.
   *
   * @param column column of integers or strings, or of arrays of these if multi-valued
   */
  public record Categorical(String column, KeySpace keys) {}

  /** Returns columns with a label and no features. */
  public static TrainingColumns label(String column) {
    return new TrainingColumns(Optional.of(column), List.of(), List.of(), List.of());
  }

  /** Returns columns without a label and without features. */
  public static TrainingColumns unlabeled() {
    return new TrainingColumns(Optional.empty(), List.of(), List.of(), List.of());
  }

  /** Adds numeric features; a null is an error. */
  public TrainingColumns dense(String... columns) {
    return withDense(Optional.empty(), columns);
  }

  /** Adds numeric features with {@code missing} in place of nulls. */
  public TrainingColumns dense(float missing, String... columns) {
    return withDense(Optional.of(missing), columns);
  }

  private TrainingColumns withDense(Optional<Float> missing, String... columns) {
    List<Dense> all = new ArrayList<>(dense);
    for (String column : columns) {
      all.add(new Dense(column, missing));
    }
    return new TrainingColumns(label, all, categorical, multiValued);
  }

  /** Adds features with one id per row, in the key space of each column. */
  public TrainingColumns categorical(String... columns) {
    return categorical(KeySpace.ofColumn(), columns);
  }

  /** Adds features with one id per row. */
  public TrainingColumns categorical(KeySpace keys, String... columns) {
    return new TrainingColumns(label, dense, with(categorical, keys, columns), multiValued);
  }

  /**
   * Adds features with a list of ids per row, in the key space of each column. A null list is
   * empty; a null in a list is a missing value.
   */
  public TrainingColumns multiValued(String... columns) {
    return multiValued(KeySpace.ofColumn(), columns);
  }

  /** Adds features with a list of ids per row. */
  public TrainingColumns multiValued(KeySpace keys, String... columns) {
    return new TrainingColumns(label, dense, categorical, with(multiValued, keys, columns));
  }

  private static List<Categorical> with(
      List<Categorical> before, KeySpace keys, String... columns) {
    List<Categorical> all = new ArrayList<>(before);
    for (String column : columns) {
      all.add(new Categorical(column, keys));
    }
    return all;
  }
}
