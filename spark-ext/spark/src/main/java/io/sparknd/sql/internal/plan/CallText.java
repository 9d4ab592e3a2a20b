/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    String word = how.reduction() == Reduction.NONE ? "update" : how.reduction().toString();
    return of("tensor_scatter_nd_" + word);
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
    return with(how.indices()).with("duplicates", how.duplicates());
  }

  CallText with(IndexPolicy policy) {
    if (policy.bad() instanceof BadIndices.Fill fill) {
      with("fill", fill.value());
    } else {
      with("bad_indices", policy.bad());
    }
    return with(
        "negative",
        policy.negative() == NegativeIndices.OUT_OF_BOUNDS
            ? "oob"
            : policy.negative().name().toLowerCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return function + "(" + String.join(", ", arguments) + ")";
  }
}
