/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.TrainingColumns;
import java.io.Serializable;

/**
 * The numbers of features of each kind.
 *
 * @param labels 1 or 0
 */
public record FeatureShape(int labels, int dense, int categorical, int multiValued)
    implements Serializable {
  static FeatureShape of(TrainingColumns columns) {
    return new FeatureShape(
        columns.label().isPresent() ? 1 : 0,
        columns.dense().size(),
        columns.categorical().size(),
        columns.multiValued().size());
  }
}
