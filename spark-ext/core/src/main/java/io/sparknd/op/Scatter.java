/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * How a scatter treats its updates, apart from where they go.
 *
 * @param reduction how an update joins its element
 * @param indices how doubtful index values are read
 * @param duplicates whether several updates may name one slice
 * @param self whether the tensor's own element takes part
 */
public record Scatter(
    Reduction reduction, IndexPolicy indices, Duplicates duplicates, IncludeSelf self)
    implements Serializable {

  public Scatter {
    Objects.requireNonNull(reduction, "reduction");
    Objects.requireNonNull(indices, "indices");
    Objects.requireNonNull(duplicates, "duplicates");
    Objects.requireNonNull(self, "self");
  }

  /** {@code reduction} with strict indices, duplicates in order, and the element included. */
  public static Scatter of(Reduction reduction) {
    return new Scatter(reduction, IndexPolicy.STRICT, Duplicates.IN_ORDER, IncludeSelf.INCLUDED);
  }

  /** The last update of a slice replaces it, as {@code tensor_scatter_nd_update}. */
  public static Scatter update() {
    return of(Reduction.NONE);
  }

  /** Updates are added, as {@code tensor_scatter_nd_add}. */
  public static Scatter add() {
    return of(Reduction.ADD);
  }

  /** Updates are subtracted, as {@code tensor_scatter_nd_sub}. */
  public static Scatter sub() {
    return of(Reduction.SUB);
  }

  /** Updates are multiplied in, as ONNX {@code ScatterND} with {@code mul}. */
  public static Scatter mul() {
    return of(Reduction.MUL);
  }

  /** The smallest stays, as {@code tensor_scatter_nd_min}. */
  public static Scatter min() {
    return of(Reduction.MIN);
  }

  /** The largest stays, as {@code tensor_scatter_nd_max}. */
  public static Scatter max() {
    return of(Reduction.MAX);
  }

  /** The average, as PyTorch's {@code scatter_reduce} with {@code mean}. */
  public static Scatter mean() {
    return of(Reduction.MEAN);
  }

  public Scatter withIndices(IndexPolicy policy) {
    return new Scatter(reduction, policy, duplicates, self);
  }

  public Scatter withBadIndices(BadIndices bad) {
    return withIndices(new IndexPolicy(bad, indices.negative()));
  }

  public Scatter withNegativeIndices(NegativeIndices negative) {
    return withIndices(new IndexPolicy(indices.bad(), negative));
  }

  public Scatter withDuplicates(Duplicates policy) {
    return new Scatter(reduction, indices, policy, self);
  }

  public Scatter withSelf(IncludeSelf part) {
    return new Scatter(reduction, indices, duplicates, part);
  }
}
