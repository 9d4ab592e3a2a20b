/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * The options of a scatter.
 *
 * @param reduction how an update is combined with its element
 * @param indices how out-of-bounds and negative index values are treated
 * @param duplicates whether several updates may name one slice
 * @param self whether the tensor's own element is part of the fold
 * @param rounding when sums, differences, products and quotients of float16 and bfloat16 round
 */
public record Scatter(
    Reduction reduction,
    IndexPolicy indices,
    Duplicates duplicates,
    IncludeSelf self,
    HalfRounding rounding)
    implements Serializable {

  public Scatter {
    Objects.requireNonNull(reduction, "reduction");
    Objects.requireNonNull(indices, "indices");
    Objects.requireNonNull(duplicates, "duplicates");
    Objects.requireNonNull(self, "self");
    Objects.requireNonNull(rounding, "rounding");
  }

  /**
   * {@code reduction} with strict indices, duplicates in order, the element included, and each step
   * rounded.
   */
  public static Scatter of(Reduction reduction) {
    return new Scatter(
        reduction,
        IndexPolicy.STRICT,
        Duplicates.IN_ORDER,
        IncludeSelf.INCLUDED,
        HalfRounding.EACH_STEP);
  }

  /** Replaces each named slice by its last update, as {@code tensor_scatter_nd_update}. */
  public static Scatter update() {
    return of(Reduction.NONE);
  }

  /** Adds the updates, as {@code tensor_scatter_nd_add}. */
  public static Scatter add() {
    return of(Reduction.ADD);
  }

  /** Subtracts the updates, as {@code tensor_scatter_nd_sub}. */
  public static Scatter sub() {
    return of(Reduction.SUB);
  }

  /** Multiplies by the updates, as ONNX {@code ScatterND} with {@code mul}. */
  public static Scatter mul() {
    return of(Reduction.MUL);
  }

  /** Retains the minimum of element and updates, as {@code tensor_scatter_nd_min}. */
  public static Scatter min() {
    return of(Reduction.MIN);
  }

  /** Retains the maximum of element and updates, as {@code tensor_scatter_nd_max}. */
  public static Scatter max() {
    return of(Reduction.MAX);
  }

  /** Averages element and updates, as PyTorch's {@code scatter_reduce} with {@code mean}. */
  public static Scatter mean() {
    return of(Reduction.MEAN);
  }

  public Scatter withIndices(IndexPolicy policy) {
    return new Scatter(reduction, policy, duplicates, self, rounding);
  }

  /**
   * Sets the policy for indices out of bounds. {@link BadIndices#IGNORE} drops negative indices
   * too, unless they wrap or {@link #withNegativeIndices} makes them errors afterwards.
   */
  public Scatter withBadIndices(BadIndices bad) {
    return withIndices(indices.withBad(bad));
  }

  public Scatter withNegativeIndices(NegativeIndices negative) {
    return withIndices(new IndexPolicy(indices.bad(), negative));
  }

  public Scatter withDuplicates(Duplicates policy) {
    return new Scatter(reduction, indices, policy, self, rounding);
  }

  public Scatter withSelf(IncludeSelf part) {
    return new Scatter(reduction, indices, duplicates, part, rounding);
  }

  public Scatter withRounding(HalfRounding when) {
    return new Scatter(reduction, indices, duplicates, self, when);
  }
}
