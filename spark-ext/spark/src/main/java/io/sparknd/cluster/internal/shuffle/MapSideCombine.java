/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.op.Duplicates;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.Optional;

/**
 * The map-side combination of the updates of one slice into one update.
 *
 * @param with the reduction that combines an update with earlier ones
 * @param kernel the name of the kernel provider
 */
public record MapSideCombine(DType dtype, Reduction with, String kernel) implements Serializable {
  /**
   * Returns the combination for a scatter if pre-combining is bit-exact: if combining the updates
   * first, and the result with the element afterwards, gives the same bits as one update at a time.
   * Floating-point sums would round differently, a mean would lose its count, and duplicates that
   * are an error must stay visible.
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
      // subtracted updates combine by addition
      case SUB ->
          exact && !BatchShuffle.Order.firstCounts(how)
              ? Optional.of(Reduction.ADD)
              : Optional.empty();
      case DIV, MEAN -> Optional.empty();
    };
  }
}
