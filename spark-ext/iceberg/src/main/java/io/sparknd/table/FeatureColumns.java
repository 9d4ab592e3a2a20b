/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.util.List;

/**
 * Which features of a table's rows a query updates, in columns of their names. The index columns
 * are those that the table has, by their names.
 *
 * @param features one or more of those that {@link TensorSpec#withFeatures} named
 * @param orderBy columns that say which of several updates to one row comes first, as in {@link
 *     io.sparknd.cluster.TensorColumns}
 */
public record FeatureColumns(List<String> features, List<String> orderBy) {
  public FeatureColumns {
    features = List.copyOf(features);
    orderBy = List.copyOf(orderBy);
  }

  /** Features that are updated in the order of the rows. */
  public static FeatureColumns of(String... features) {
    return new FeatureColumns(List.of(features), List.of());
  }

  /** The same features, with updates in the order of {@code columns}. */
  public FeatureColumns orderedBy(String... columns) {
    return new FeatureColumns(features, List.of(columns));
  }
}
