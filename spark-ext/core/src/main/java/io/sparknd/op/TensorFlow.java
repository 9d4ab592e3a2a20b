/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Tensor;

/**
 * TensorFlow's operators on index tuples. Indices {@code [..., k]} into a tensor of {@code shape}
 * name slices of {@code shape[k:]}, and updates have exactly the shape {@code [...] + shape[k:]}.
 * Negative indices are out of bounds. The minimum and maximum of a NaN and a number is NaN, as in
 * {@code tf.minimum}; TensorFlow's own scatters on a CPU keep the element if the update is NaN.
 * Source: {@code tf.scatter_nd}, {@code tf.tensor_scatter_nd_update} and {@code tf.gather_nd} in
 * TensorFlow's API documentation, 2.21.
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
   * Returns the policy that TensorFlow calls {@code policy}. {@code ""} and {@code DEFAULT} mean
   * {@code ERROR}, as on TensorFlow's CPU.
   *
   * @throws io.sparknd.tensor.SparkNdException if the word is not one of {@code ""}, {@code
   *     DEFAULT}, {@code ERROR} and {@code IGNORE}
   */
  public static BadIndices badIndicesPolicy(String policy) {
    return POLICIES.find(policy);
  }

  /**
   * Returns the reduction of {@code tensor_scatter_nd_<name>}: {@code update}, {@code add}, {@code
   * sub}, {@code min} or {@code max}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction reduction(String name) {
    return REDUCTIONS.find(name);
  }

  /** Replaces each named slice by its last update; a bad index is an error. */
  public static ScatterCall tensorScatterNdUpdate(Tensor indices, Tensor updates) {
    return tensorScatterNdUpdate(indices, updates, BadIndices.ERROR);
  }

  /** Replaces each named slice by its last update. */
  public static ScatterCall tensorScatterNdUpdate(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.NONE, indices, updates, bad);
  }

  /** Adds the updates; a bad index is an error. */
  public static ScatterCall tensorScatterNdAdd(Tensor indices, Tensor updates) {
    return tensorScatterNdAdd(indices, updates, BadIndices.ERROR);
  }

  /** Adds the updates. */
  public static ScatterCall tensorScatterNdAdd(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.ADD, indices, updates, bad);
  }

  /** Subtracts the updates; a bad index is an error. */
  public static ScatterCall tensorScatterNdSub(Tensor indices, Tensor updates) {
    return tensorScatterNdSub(indices, updates, BadIndices.ERROR);
  }

  /** Subtracts the updates. */
  public static ScatterCall tensorScatterNdSub(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.SUB, indices, updates, bad);
  }

  /** Retains the minimum of element and updates, NaN if either is; a bad index is an error. */
  public static ScatterCall tensorScatterNdMin(Tensor indices, Tensor updates) {
    return tensorScatterNdMin(indices, updates, BadIndices.ERROR);
  }

  /** Retains the minimum of element and updates; NaN if either is NaN. */
  public static ScatterCall tensorScatterNdMin(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.MIN, indices, updates, bad);
  }

  /** Retains the maximum of element and updates, NaN if either is; a bad index is an error. */
  public static ScatterCall tensorScatterNdMax(Tensor indices, Tensor updates) {
    return tensorScatterNdMax(indices, updates, BadIndices.ERROR);
  }

  /** Retains the maximum of element and updates; NaN if either is NaN. */
  public static ScatterCall tensorScatterNdMax(Tensor indices, Tensor updates, BadIndices bad) {
    return tensorScatterNd(Reduction.MAX, indices, updates, bad);
  }

  /** {@code scatter_nd}; a bad index is an error. */
  public static ScatterCall scatterNd(Tensor indices, Tensor updates) {
    return scatterNd(indices, updates, BadIndices.ERROR);
  }

  /**
   * {@code scatter_nd}; run the call on {@code Tensor.zeros} of the result's shape, which for
   * strings holds empty strings. Updates of one slice are summed; strings are concatenated.
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

  /** {@code gather_nd}; a bad index is an error. */
  public static GatherCall gatherNd(Tensor indices, int batchDims) {
    return gatherNd(indices, batchDims, BadIndices.ERROR);
  }

  /**
   * {@code gather_nd}: indices {@code [b, ..., k]} into a tensor {@code [b] + shape} give {@code
   * [b, ...] + shape[k:]}.
   *
   * @param batchDims the number of leading dimensions that indices and tensor share
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
    return IndexPolicy.STRICT.withRemedy(PolicyRemedy.IGNORE).withBad(bad);
  }
}
