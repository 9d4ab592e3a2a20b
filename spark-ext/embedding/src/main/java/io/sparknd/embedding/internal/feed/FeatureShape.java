/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The numbers of features of each kind, as tasks use them.
 *
 * @param labels 1 or 0
 * @param names names of all columns, in the order of {@link FeatureEncoding}
 * @param numbered ids of the columns with numbered keys, by name
 */
record FeatureShape(
    int labels,
    int dense,
    int categorical,
    int multiValued,
    List<String> names,
    Map<String, NumberedIds> numbered)
    implements Serializable {
  static FeatureShape of(TrainingColumns columns) {
    List<TrainingColumns.Categorical> keyed =
        Stream.concat(columns.categorical().stream(), columns.multiValued().stream()).toList();
    Stream<String> features =
        Stream.concat(
            columns.dense().stream().map(TrainingColumns.Dense::column),
            keyed.stream().map(TrainingColumns.Categorical::column));
    return new FeatureShape(
        columns.label().isPresent() ? 1 : 0,
        columns.dense().size(),
        columns.categorical().size(),
        columns.multiValued().size(),
        Stream.concat(columns.label().stream(), features).toList(),
        keyed.stream()
            .filter(feature -> feature.keys().kind() == KeySpace.Kind.NUMBERED)
            .collect(
                Collectors.toUnmodifiableMap(
                    TrainingColumns.Categorical::column,
                    feature -> NumberedIds.of(feature.keys()))));
  }
}
