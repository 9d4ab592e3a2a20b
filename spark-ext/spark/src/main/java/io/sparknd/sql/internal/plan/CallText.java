/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.CallNames;
import io.sparknd.sql.internal.IncludeSelfArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The text of a call in plans: the function with its arguments by name. */
final class CallText {
  private final String function;
  private final List<String> arguments = new ArrayList<>();

  private CallText(String function) {
    this.function = function;
  }

  static CallText of(String function) {
    return new CallText(function);
  }

  /** Starts the text of a scatter into a tensor. */
  static CallText ofTensorScatter(Scatter how) {
    return of(CallNames.tensorScatter(how.reduction()));
  }

  CallText with(String argument, Object value) {
    arguments.add(argument + " => " + value);
    return this;
  }

  /**
   * Adds the columns of a table of updates.
   *
   * @param names of all columns
   */
  CallText withColumns(SliceOrdinals columns, List<String> names) {
    with("index_columns", columns.indices().stream().map(names::get).toList());
    with("value_column", names.get(columns.value()));
    return columns.orderBy().isEmpty()
        ? this
        : with("order_by", columns.orderBy().stream().map(names::get).toList());
  }

  CallText with(Scatter how) {
    with(how.indices()).with("duplicates", how.duplicates());
    return how.self() == IncludeSelf.EXCLUDED ? with(IncludeSelfArgument.NAME, false) : this;
  }

  CallText with(IndexPolicy policy) {
    if (policy.bad() instanceof BadIndices.Fill fill) {
      with("fill", fill.value());
    } else {
      with("bad_indices", policy.bad());
    }
    return with("negative", CallNames.negative(policy.negative()));
  }

  /**
   * Returns the text for a range of slices, which follows the call; empty for all slices.
   *
   * @param few the slices of the range, if they are few
   */
  static String of(SliceRange range, Optional<SliceSet> few) {
    long all = range.count(Long.MAX_VALUE);
    if (few.isPresent() && few.get().count() < all) {
      return ", only slices " + few.get();
    }
    if (range.equals(SliceRange.ALL)) {
      return "";
    }
    return range.equals(SliceRange.NONE)
        ? ", no slices"
        : ", only slices " + range.first() + " to " + (range.end() - 1);
  }

  @Override
  public String toString() {
    return function + "(" + String.join(", ", arguments) + ")";
  }
}
