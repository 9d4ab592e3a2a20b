/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.exchange;

import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.Optional;

/**
 * How the updates of one slice become one update before they are sent.
 *
 * @param with the reduction that joins an update to those before it
 * @param kernel provider's name
 */
public record MapSideCombine(DType dtype, Reduction with, String kernel) implements Serializable {
  /**
   * The way for a scatter, where no bit of its result can tell: where updates joined to each other
   * first, and to the element then, give what they give one by one. Floating-point sums round
   * otherwise, a mean would lose its count, and duplicates that are an error must be seen.
   */
  public static Optional<MapSideCombine> of(Scatter how, DType dtype, String kernel) {
    return how.duplicates() == Duplicates.ERROR
        ? Optional.empty()
        : reduction(how, dtype).map(with -> new MapSideCombine(dtype, with, kernel));
  }

  private static Optional<Reduction> reduction(Scatter how, DType dtype) {
    boolean exact =
        switch (dtype.kind()) {
          case BOOL, SIGNED, UNSIGNED -> true;
          case FLOAT, COMPLEX, STRING -> false;
        };
    return switch (how.reduction()) {
      case NONE, MIN, MAX, FMIN, FMAX -> Optional.of(how.reduction());
      case ADD, MUL -> exact ? Optional.of(how.reduction()) : Optional.empty();
      // what is subtracted is a sum, unless the first update takes the element's place
      case SUB ->
          exact && how.self() == IncludeSelf.INCLUDED
              ? Optional.of(Reduction.ADD)
              : Optional.empty();
      case DIV, MEAN -> Optional.empty();
    };
  }
}
