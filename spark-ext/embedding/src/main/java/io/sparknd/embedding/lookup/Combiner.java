/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Defines how a lookup combines the rows {@code e} of one list of ids and their weights {@code w}.
 * A weight is 1 if none is given. Sums are left folds in the order of the ids.
 */
public enum Combiner {
  /** {@code sum(w * e)}. */
  SUM,
  /** {@code sum(w * e) / sum(w)}; zeros if the divisor is 0. */
  MEAN,
  /** {@code sum(w * e) / sqrt(sum(w * w))}; zeros if the divisor is 0. */
  SQRTN;

  /**
   * Returns the combiner with TensorFlow's name: {@code sum}, {@code mean} or {@code sqrtn}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such combiner
   */
  public static Combiner named(String name) {
    return Arrays.stream(values())
        .filter(combiner -> combiner.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownValue("combiner", name, known()));
  }

  private static String known() {
    return Arrays.stream(values()).map(Combiner::toString).collect(Collectors.joining(", "));
  }

  /** Returns the name in lower case, such as {@code mean}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
