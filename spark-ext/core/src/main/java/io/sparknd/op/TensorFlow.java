/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Tensor;

/**
 * TensorFlow's operators on index tuples. Indices {@code [..., k]} into a tensor of {@code shape}
 * name slices of {@code shape[k:]}, and updates have exactly the shape {@code [...] + shape[k:]}.
 * Negative indices are out of bounds. Source: the pages of {@code tf.scatter_nd}, {@code
 * tf.tensor_scatter_nd_update} and {@code tf.gather_nd} in TensorFlow's API documentation, 2.21.
 */
public final class TensorFlow {
  private static final OptionNames<Reduction> REDUCTIONS =
      OptionNames.<Reduction>of("reduction")
          .and("update", Reduction.NONE)
          .and("add", Reduction.ADD)
          .and("sub", Reduction.SUB)
          .and("min", Reduction.MIN)
          .and("max", Reduction.MAX);

  private static final OptionNames<BadIndices> POLICIES =
      OptionNames.<BadIndices>of("bad_indices_policy")
          .and("", BadIndices.ERROR)
          .and("DEFAULT", BadIndices.ERROR)
          .and("ERROR", BadIndices.ERROR)
          .and("IGNORE", BadIndices.IGNORE);

  private TensorFlow() {}

  /**
   * The policy that TensorFlow calls {@code policy}: {@code ""} and {@code DEFAULT} are {@code
   * ERROR}, as on TensorFlow's CPU.
   *
   * @throws io.sparknd.tensor.SparkNdException if the word is not one of the four
   */
  public static BadIndices badIndicesPolicy(String policy) {
    return POLICIES.find(policy);
  }

  /**
   * The reduction of {@code tensor_scatter_nd_<name>}: {@code update}, {@code add}, {@code sub},
   * {@code min} or {@code max}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static Reduction reduction(String name) {
    return REDUCTIONS.find(name);
  }

  /** The last update of a slice replaces it; a bad index is an error. */
  public static ScatterCall tensorScatterNdUpdate(Tensor indices, Tensor updates) {
    return tensorScatterNdUpdate(indices, updates, BadIndices.ERROR);
  }

  /** The last update of a slice replaces it. */
  public static ScatterCall tensorScatterNdUpdate(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.NONE, indices, updates, bad);
  }

  /** Updates are added; a bad index is an error. */
  public static ScatterCall tensorScatterNdAdd(Tensor indices, Tensor updates) {
    return tensorScatterNdAdd(indices, updates, BadIndices.ERROR);
  }

  /** Updates are added. */
  public static ScatterCall tensorScatterNdAdd(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.ADD, indices, updates, bad);
  }

  /** Updates are subtracted; a bad index is an error. */
  public static ScatterCall tensorScatterNdSub(Tensor indices, Tensor updates) {
    return tensorScatterNdSub(indices, updates, BadIndices.ERROR);
  }

  /** Updates are subtracted. */
  public static ScatterCall tensorScatterNdSub(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.SUB, indices, updates, bad);
  }

  /** The smallest stays; a bad index is an error. */
  public static ScatterCall tensorScatterNdMin(Tensor indices, Tensor updates) {
    return tensorScatterNdMin(indices, updates, BadIndices.ERROR);
  }

  /** The smallest stays. */
  public static ScatterCall tensorScatterNdMin(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.MIN, indices, updates, bad);
  }

  /** The largest stays; a bad index is an error. */
  public static ScatterCall tensorScatterNdMax(Tensor indices, Tensor updates) {
    return tensorScatterNdMax(indices, updates, BadIndices.ERROR);
  }

  /** The largest stays. */
  public static ScatterCall tensorScatterNdMax(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.MAX, indices, updates, bad);
  }

  /** {@code scatter_nd} where a bad index is an error. */
  public static ScatterCall scatterNd(Tensor indices, Tensor updates) {
    return scatterNd(indices, updates, BadIndices.ERROR);
  }

  /**
   * {@code scatter_nd}: to be run on {@code Tensor.zeros} of the wanted shape, which for strings
   * holds empty ones. Updates of one slice are summed, strings concatenated.
   */
  public static ScatterCall scatterNd(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.ADD, indices, updates, bad);
  }

  /**
   * {@code tensor_scatter_nd_<reduction>}.
   *
   * @param bad {@link BadIndices#ERROR}, or {@link BadIndices#IGNORE}, which also drops tuples with
   *     negative values
   * @throws io.sparknd.tensor.SparkNdException if TensorFlow has no such reduction or policy
   */
  public static ScatterCall tensorScatterNd(
      Reduction reduction, Tensor indices, Tensor updates, BadIndices bad) {
    String operator = "TensorFlow's tensor_scatter_nd";
    Scatter how = Scatter.of(REDUCTIONS.require(operator, reduction));
    return ScatterCall.of(how.withIndices(policy(operator, bad)), indices, updates);
  }

  /** {@code gather_nd} where a bad index is an error. */
  public static GatherCall gatherNd(Tensor indices, int batchDims) {
    return gatherNd(indices, batchDims, BadIndices.ERROR);
  }

  /**
   * {@code gather_nd}: {@code [b, ..., k]} into {@code [b] + shape} gives {@code [b, ...] +
   * shape[k:]}.
   *
   * @param batchDims how many leading dimensions indices and tensor share
   * @param bad {@link BadIndices#ERROR}, or {@link BadIndices#IGNORE}, which yields 0, false or ""
   *     for tuples out of bounds or with negative values
   * @throws io.sparknd.tensor.SparkNdException if TensorFlow has no such policy
   */
  public static GatherCall gatherNd(Tensor indices, int batchDims, BadIndices bad) {
    Gather how = new Gather(policy("TensorFlow's gather_nd", bad));
    return new GatherCall(how, new Indexing.Tuples(batchDims), indices);
  }

  private static IndexPolicy policy(String operator, BadIndices bad) {
    POLICIES.require(operator, bad);
    boolean strict = bad instanceof BadIndices.Error;
    return new IndexPolicy(bad, strict ? NegativeIndices.ERROR : NegativeIndices.OUT_OF_BOUNDS);
  }
}
