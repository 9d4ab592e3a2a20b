/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import java.util.List;

/**
 * The columns of a query that update features of a table's rows. Each feature column has the name
 * of its feature; the index columns have the names of the table's index columns.
 *
 * @param features one or more of the features named by {@link TensorSpec#withFeatures}
 * @param orderBy columns that order several updates to one row, as in {@link
 *     io.sparknd.cluster.options.TensorColumns}
 */
public record FeatureColumns(List<String> features, List<String> orderBy) {
  public FeatureColumns {
    features = List.copyOf(features);
    orderBy = List.copyOf(orderBy);
  }

  /** Returns features that are updated in row order. */
  public static FeatureColumns of(String... features) {
    return new FeatureColumns(List.of(features), List.of());
  }

  /** Returns the same features with updates ordered by {@code columns}. */
  public FeatureColumns orderedBy(String... columns) {
    return new FeatureColumns(features, List.of(columns));
  }
}
