/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.reduction;

import io.sparknd.table.internal.FeatureErrors;
import java.util.List;
import java.util.Optional;

/**
 * The reduction that a variable declares: how an update combines with the stored value. What was
 * never written has the variable's fill value; if it has none, the first update becomes the value.
 * A NULL update changes nothing. Updates of one key apply in the order of the batch.
 *
 * @param name name in table properties, such as {@code add}
 * @param orderBy variable that orders updates; empty if the order of updates decides
 * @param size maximum number of elements of a list
 * @param className class of a custom reduction
 */
public record VariableReduction(
    String name, Optional<String> orderBy, Optional<Integer> size, Optional<String> className) {
  private static final String CUSTOM = "custom:";
  private static final List<String> SIMPLE =
      List.of("update", "add", "mul", "min", "max", "count", "mean", "hll_union", "theta_union");

  /** Checks name and options. */
  public VariableReduction {
    boolean isOrdered = name.equals("last") || name.equals("first");
    boolean isKnown =
        SIMPLE.contains(name)
            || isOrdered
            || name.equals("last_n")
            || name.startsWith(CUSTOM) && className.isPresent();
    if (!isKnown) {
      throw FeatureErrors.unknownReduction(name);
    }
    if (isOrdered && orderBy.isEmpty()) {
      throw FeatureErrors.reductionOptionMissing(name, "order");
    }
    if (name.equals("last_n") && size.orElse(0) < 1) {
      throw FeatureErrors.reductionOptionMissing(name, "size");
    }
  }

  private static VariableReduction simple(String name) {
    return new VariableReduction(name, Optional.empty(), Optional.empty(), Optional.empty());
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

  /** The minimum: element by element, or of dates, timestamps, decimals, strings or binary. */
  public static VariableReduction min() {
    return simple("min");
  }

  /** The maximum, as {@link #min}. */
  public static VariableReduction max() {
    return simple("max");
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
   * The update with the greatest order; of equal ones the last. The order is stored beside the
   * value, in a column {@code NAME__ORDER}, so that an update that arrives late does not win.
   *
   * @param orderBy variable of the table that the rows of updates have, too
   */
  public static VariableReduction last(String orderBy) {
    return new VariableReduction("last", Optional.of(orderBy), Optional.empty(), Optional.empty());
  }

  /** The update with the least order; of equal ones the first. Otherwise as {@link #last}. */
  public static VariableReduction first(String orderBy) {
    return new VariableReduction("first", Optional.of(orderBy), Optional.empty(), Optional.empty());
  }

  /**
   * The last elements of the arrays of all updates, at most {@code size}, in the order of arrival.
   */
  public static VariableReduction lastN(int size) {
    return new VariableReduction("last_n", Optional.empty(), Optional.of(size), Optional.empty());
  }

  /**
   * The elements with the greatest orders, at most {@code size}, in ascending order. The orders are
   * stored beside them, in a column {@code NAME__ORDER}.
   *
   * @param orderBy as for {@link #last}
   */
  public static VariableReduction lastN(int size, String orderBy) {
    return new VariableReduction(
        "last_n", Optional.of(orderBy), Optional.of(size), Optional.empty());
  }

  /**
   * The union of HyperLogLog sketches, binary values as SQL's {@code hll_sketch_agg} returns them.
   */
  public static VariableReduction hllUnion() {
    return simple("hll_union");
  }

  /** The union of theta sketches, binary values as SQL's {@code theta_sketch_agg} returns them. */
  public static VariableReduction thetaUnion() {
    return simple("theta_union");
  }

  /**
   * A reduction of one's own.
   *
   * @param type a public class with a public constructor without parameters, on the class path of
   *     driver and executors
   */
  public static VariableReduction custom(Class<? extends CustomReduction> type) {
    return new VariableReduction(
        CUSTOM + type.getName(), Optional.empty(), Optional.empty(), Optional.of(type.getName()));
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
    return new VariableReduction(name, orderBy, size, className);
  }

  @Override
  public String toString() {
    return name
        + orderBy.map(order -> " by " + order).orElse("")
        + size.map(most -> " of " + most).orElse("");
  }
}
