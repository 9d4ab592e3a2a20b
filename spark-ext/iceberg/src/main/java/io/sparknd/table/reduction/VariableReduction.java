/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.reduction;

import io.sparknd.table.internal.FeatureErrors;
import java.util.List;
import java.util.Optional;

/**
 * The reduction that a variable declares: how an update combines with the stored value. What was
 * never written has the variable's fill value; if it has none, or the reduction keeps a state of
 * its own or is in windows, the first update is combined with nothing. A NULL update changes
 * nothing. Updates of one key apply in the order of the batch.
 *
 * @param name name in table properties, such as {@code add}
 * @param orderBy variable that orders updates, or has their time for windows; empty if the order of
 *     updates decides
 * @param size maximum number of elements of a list
 * @param className class of a custom reduction
 * @param windows windows of time in which updates are reduced
 */
public record VariableReduction(
    String name,
    Optional<String> orderBy,
    Optional<Integer> size,
    Optional<String> className,
    Optional<TimeWindows> windows) {
  private static final String CUSTOM = "custom:";
  private static final List<String> WITH_WINDOWS =
      List.of(
          "add",
          "mul",
          "min",
          "max",
          "fmin",
          "fmax",
          "count",
          "mean",
          "last_n",
          "hll_union",
          "theta_union");

  /** Checks name and options. */
  public VariableReduction {
    boolean isOrdered = name.equals("last") || name.equals("first");
    boolean isKnown =
        name.equals("update")
            || WITH_WINDOWS.contains(name)
            || isOrdered
            || name.startsWith(CUSTOM) && className.isPresent();
    if (!isKnown) {
      throw FeatureErrors.unknownReduction(name);
    }
    if (isOrdered && orderBy.isEmpty()) {
      throw FeatureErrors.reductionOptionMissing(name, "order", name + "(VARIABLE)");
    }
    if (name.equals("last_n") && size.orElse(0) < 1) {
      throw FeatureErrors.reductionOptionMissing(name, "size", "last_n(10)");
    }
    if (windows.isPresent() && !WITH_WINDOWS.contains(name)) {
      throw FeatureErrors.noWindowsOf(name, WITH_WINDOWS);
    }
    if (windows.isPresent() && orderBy.isEmpty()) {
      String call = name + (name.equals("last_n") ? "(10, TIME)" : "(TIME)");
      throw FeatureErrors.reductionOptionMissing(name + " in windows", "order", call);
    }
  }

  private static VariableReduction simple(String name) {
    return of(name, Optional.empty(), Optional.empty());
  }

  /** The update replaces the value. */
  public static VariableReduction update() {
    return simple("update");
  }

  /** The sum, element by element; for strings the concatenation. Integers wrap. */
  public static VariableReduction add() {
    return simple("add");
  }

  /** The product, element by element. */
  public static VariableReduction mul() {
    return simple("mul");
  }

  /**
   * The minimum: element by element, or of dates, timestamps, decimals, strings or binary. NaN
   * stays.
   */
  public static VariableReduction min() {
    return simple("min");
  }

  /** The maximum, as {@link #min}. */
  public static VariableReduction max() {
    return simple("max");
  }

  /** The minimum, as {@link #min}, of the numbers; NaN only if there is none. */
  public static VariableReduction fmin() {
    return simple("fmin");
  }

  /** The maximum, as {@link #max}, of the numbers; NaN only if there is none. */
  public static VariableReduction fmax() {
    return simple("fmax");
  }

  /** The number of updates that are not NULL, whatever their values; the variable is a bigint. */
  public static VariableReduction count() {
    return simple("count");
  }

  /**
   * The mean of the updates, a double. The sum and the number of updates are stored beside it, in
   * columns {@code NAME__sum} and {@code NAME__count}.
   */
  public static VariableReduction mean() {
    return simple("mean");
  }

  /**
   * The update with the greatest order; of equal ones the last. An order that is NULL or NaN is an
   * error. The order is stored beside the value, in a column {@code NAME__ORDER}, so that an update
   * that arrives late does not win.
   *
   * @param orderBy variable of the table that the rows of updates have, too
   */
  public static VariableReduction last(String orderBy) {
    return of("last", Optional.of(orderBy), Optional.empty());
  }

  /** The update with the least order; of equal ones the first. Otherwise as {@link #last}. */
  public static VariableReduction first(String orderBy) {
    return of("first", Optional.of(orderBy), Optional.empty());
  }

  /**
   * The last elements of the arrays of all updates, at most {@code size}, in the order of arrival.
   */
  public static VariableReduction lastN(int size) {
    return of("last_n", Optional.empty(), Optional.of(size));
  }

  /**
   * The elements with the greatest orders, at most {@code size}, in ascending order. The orders are
   * stored beside them, in a column {@code NAME__ORDER}.
   *
   * @param orderBy as for {@link #last}
   */
  public static VariableReduction lastN(int size, String orderBy) {
    return of("last_n", Optional.of(orderBy), Optional.of(size));
  }

  /**
   * The union of HyperLogLog sketches, binary values as SQL's {@code hll_sketch_agg} returns them.
   */
  public static VariableReduction hllUnion() {
    return simple("hll_union");
  }

  /**
   * The union of theta sketches, binary values as SQL's {@code theta_sketch_agg} returns them. It
   * has as many entries as the larger sketch, rounded to a power of two, and at least 4,096.
   */
  public static VariableReduction thetaUnion() {
    return simple("theta_union");
  }

  /**
   * A custom reduction.
   *
   * @param type a public class with a public constructor without parameters, on the class path of
   *     driver and executors
   */
  public static VariableReduction custom(Class<? extends CustomReduction> type) {
    return of(CUSTOM + type.getName(), Optional.empty(), Optional.empty());
  }

  /**
   * Reduces in windows of time: the updates of each tile are reduced by themselves, in row order,
   * and a window is the reduction of its tiles, from the oldest to the latest. A row keeps its
   * latest tiles, as many as the longest window has and one more, in columns {@code NAME__TIME},
   * {@code NAME__tiles} and {@code NAME__evicted}. {@code FeatureTable.gatherAsOf} returns each
   * window at the time of a label, in a column such as {@code NAME_7d}. The variable itself is the
   * longest window at the end of the row's latest tile.
   *
   * <p>Defined for add, mul, min, max, fmin, fmax, count, mean, lastN without an order, hllUnion
   * and thetaUnion.
   *
   * @param time variable of the table that the rows of updates have, too, of type timestamp or
   *     date: when the update happened. An update may arrive late; after its tile was evicted it is
   *     dropped without an error
   * @throws io.sparknd.tensor.SparkNdException if the reduction has another order, or no windows
   */
  public VariableReduction over(String time, TimeWindows in) {
    if (orderBy.isPresent() && !orderBy.get().equals(time)) {
      throw FeatureErrors.noWindowsOf(toString(), WITH_WINDOWS);
    }
    return new VariableReduction(name, Optional.of(time), size, className, Optional.of(in));
  }

  /** Returns the reduction of the updates of a tile, or of all updates. */
  public VariableReduction withoutWindows() {
    return windows.isEmpty() ? this : of(name, Optional.empty(), size);
  }

  /**
   * Returns the reduction that table properties describe.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown, or an option is missing
   */
  public static VariableReduction of(
      String name, Optional<String> orderBy, Optional<Integer> size) {
    Optional<String> className =
        name.startsWith(CUSTOM) ? Optional.of(name.substring(CUSTOM.length())) : Optional.empty();
    return new VariableReduction(name, orderBy, size, className, Optional.empty());
  }

  @Override
  public String toString() {
    return name
        + orderBy.map(order -> " by " + order).orElse("")
        + size.map(most -> " of " + most).orElse("")
        + windows.map(some -> " over " + some).orElse("");
  }
}
