/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.tables.SliceRange;
import java.io.Serializable;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What is known before a query runs of the slices that the rows of a gather name.
 *
 * @param only the slices that rows can name; null if unknown
 * @param most the most rows that the gather returns
 */
record SliceNeed(@Nullable SliceSet only, int most) implements Serializable {
  static final SliceNeed UNKNOWN = new SliceNeed(null, Integer.MAX_VALUE);

  /** Every row names one of {@code slices}, so that no index of a row is an error. */
  static SliceNeed of(SliceSet slices) {
    return new SliceNeed(slices, Integer.MAX_VALUE);
  }

  /** Any {@code most} rows are enough: they are read first, then the slices that they name. */
  static SliceNeed ofRows(int most) {
    return new SliceNeed(null, most);
  }

  Optional<SliceSet> slices() {
    return Optional.ofNullable(only);
  }

  /** Returns the number of rows that are enough; empty if all are needed. */
  OptionalInt limit() {
    return most == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(most);
  }

  /** Returns what is known if both hold. */
  SliceNeed and(SliceNeed other) {
    Optional<SliceSet> both = slices().flatMap(mine -> other.slices().map(mine::and));
    return new SliceNeed(
        both.or(this::slices).or(other::slices).orElse(null), Math.min(most, other.most));
  }

  /** The text that follows the call in plans. */
  @Override
  public String toString() {
    String few = slices().map(set -> CallText.of(SliceRange.ALL, Optional.of(set))).orElse("");
    return limit().isPresent() ? few + ", only slices of " + most + " rows" : few;
  }
}
