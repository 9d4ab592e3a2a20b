/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.TrainingColumns;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * The numbers of features of each kind, as tasks use them.
 *
 * @param labels 1 or 0
 * @param names names of all columns, in the order of {@link FeatureEncoding}
 */
record FeatureShape(int labels, int dense, int categorical, int multiValued, List<String> names)
    implements Serializable {
  static FeatureShape of(TrainingColumns columns) {
    Stream<String> features =
        Stream.concat(
            columns.dense().stream().map(TrainingColumns.Dense::column),
            Stream.concat(columns.categorical().stream(), columns.multiValued().stream())
                .map(TrainingColumns.Categorical::column));
    return new FeatureShape(
        columns.label().isPresent() ? 1 : 0,
        columns.dense().size(),
        columns.categorical().size(),
        columns.multiValued().size(),
        Stream.concat(columns.label().stream(), features).toList());
  }
}
