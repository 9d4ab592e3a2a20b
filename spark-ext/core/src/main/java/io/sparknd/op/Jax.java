/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * JAX's {@code x.at[...]} and {@code segment_sum}. Source: {@code jax.numpy.ndarray.at} and {@code
 * jax.ops.segment_sum} in JAX's documentation.
 */
public final class Jax {
  private static final OptionNames<Reduction> METHODS =
      OptionNames.<Reduction>of("at[] method")
          .and("set", Reduction.NONE)
          .and("add", Reduction.ADD)
          .and("subtract", Reduction.SUB)
          .and("multiply", Reduction.MUL)
          .and("divide", Reduction.DIV)
          .and("min", Reduction.MIN)
          .and("max", Reduction.MAX);

  private Jax() {}

  /** What happens to an index out of bounds, {@code mode}. */
  public enum Mode {
    /** A scatter drops the update, a gather yields the fill value. */
    FILL_OR_DROP,
    /** Each index value is clamped to the bounds of its dimension. */
    CLIP,
    /**
     * The caller promises that every index is in bounds; the default. If one is not, a scatter
     * drops the update and a gather clamps the index, as JAX's documentation says of its
     * implementation.
     */
    PROMISE_IN_BOUNDS;

    /**
     * Returns the mode that JAX calls {@code name}: {@code fill} or {@code drop}, {@code clip},
     * {@code promise_in_bounds}.
     *
     * @throws io.sparknd.tensor.SparkNdException if the name is unknown
     */
    public static Mode named(String name) {
      return OptionNames.<Mode>of("mode")
          .and("fill", FILL_OR_DROP)
          .and("drop", FILL_OR_DROP)
          .and("clip", CLIP)
          .and("promise_in_bounds", PROMISE_IN_BOUNDS)
          .find(name);
    }
  }

  /**
   * Returns the reduction of method {@code name} of {@code x.at[...]}, such as {@code set}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction reduction(String name) {
    return METHODS.find(name);
  }

  /**
   * {@code x.at[i, j, ...]} in mode {@code promise_in_bounds}, with negative indices counted from
   * the end. Out-of-bounds updates are dropped; out-of-bounds reads are clamped.
   *
   * @param dtype the dtype of {@code x}
   * @param tensor the shape of {@code x}
   * @param indices index tuples {@code [..., k]}; {@link AdvancedIndex#stack} builds them from
   *     {@code i}, {@code j}, ...
   */
  public static At at(DType dtype, Shape tensor, Tensor indices) {
    return new At(dtype, tensor, indices, Mode.PROMISE_IN_BOUNDS, NegativeIndices.WRAP);
  }

  /**
   * {@code segment_sum}; run the call on {@code Tensor.zeros} of {@link #segments}. Ids that are
   * negative or not below the number of segments are dropped.
   *
   * @param data {@code [n, ...]}, of the dtype of the result
   * @param segmentIds integers {@code [n]}
   */
  public static ScatterCall segmentSum(Tensor data, Tensor segmentIds) {
    Tensor tuples = segmentIds.reshape(segmentIds.shape().concat(Shape.of(1)));
    IndexPolicy policy = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);
    return ScatterCall.of(Scatter.add().withIndices(policy), tuples, data);
  }

  /** The shape of the sums of {@code data} {@code [n, ...]}: {@code [numSegments, ...]}. */
  public static Shape segments(Shape data, long numSegments) {
    return Shape.of(numSegments).concat(data.from(Math.min(1, data.rank())));
  }

  /**
   * The slices {@code x.at[...]} of a tensor, with JAX's update methods. Values broadcast to {@code
   * [...] + tensor[k:]}. Repeated elements take every update in row-major order; JAX leaves the
   * order undefined.
   *
   * @param dtype the dtype of the tensor
   * @param tensor the shape of the tensor
   * @param indices index tuples {@code [..., k]}
   * @param mode what happens to an index out of bounds
   * @param negative what a negative index means, {@code wrap_negative_indices}
   */
  public record At(DType dtype, Shape tensor, Tensor indices, Mode mode, NegativeIndices negative) {

    public At withMode(Mode other) {
      return new At(dtype, tensor, indices, other, negative);
    }

    public At withNegativeIndices(NegativeIndices other) {
      return new At(dtype, tensor, indices, mode, other);
    }

    /** {@code x.at[...].set(values)}; the last value of an element wins. */
    public ScatterCall set(Tensor values) {
      return update(Reduction.NONE, values);
    }

    /** {@code x.at[...].add(values)}. */
    public ScatterCall add(Tensor values) {
      return update(Reduction.ADD, values);
    }

    /** {@code x.at[...].subtract(values)}. */
    public ScatterCall subtract(Tensor values) {
      return update(Reduction.SUB, values);
    }

    /** {@code x.at[...].multiply(values)}. */
    public ScatterCall multiply(Tensor values) {
      return update(Reduction.MUL, values);
    }

    /**
     * {@code x.at[...].divide(values)}, with one division per update (JAX divides once by the
     * product of the updates); floating point and complex only.
     */
    public ScatterCall divide(Tensor values) {
      return update(Reduction.DIV, values);
    }

    /** {@code x.at[...].min(values)}: NaN if either is NaN. */
    public ScatterCall min(Tensor values) {
      return update(Reduction.MIN, values);
    }

    /** {@code x.at[...].max(values)}: NaN if either is NaN. */
    public ScatterCall max(Tensor values) {
      return update(Reduction.MAX, values);
    }

    /**
     * The update method of {@code reduction}, see {@link Jax#reduction}.
     *
     * @throws io.sparknd.tensor.SparkNdException if {@code at[]} has no such method, or the shapes
     *     do not match
     */
    public ScatterCall update(Reduction reduction, Tensor values) {
      METHODS.require("JAX's at[]", reduction);
      Shape needed = Indexing.tuples().plan(tensor, indices.shape()).updates();
      Scatter how = Scatter.of(reduction).withIndices(policy(BadIndices.IGNORE, BadIndices.IGNORE));
      return ScatterCall.of(how, indices, ShapeBroadcast.to(needed, values));
    }

    /**
     * {@code x.at[...].get()}. In mode {@code fill}, an out-of-bounds index reads as NaN in
     * floating point and complex tensors, the smallest value of signed and the largest of unsigned
     * integers, true in bool, and "" in string tensors, which JAX does not have. The dtype is that
     * of the tensor on which the call runs.
     */
    public GatherCall get() {
      return get(JaxFill.DEFAULT);
    }

    /**
     * {@code x.at[...].get(fill_value=fillValue)}; the fill value is used only in mode {@code
     * fill}, which is not the default.
     */
    public GatherCall get(Object fillValue) {
      return GatherCall.of(
          new Gather(policy(BadIndices.fill(fillValue), BadIndices.CLIP)), indices);
    }

    private IndexPolicy policy(BadIndices whenOutOfBounds, BadIndices whenPromised) {
      BadIndices bad =
          switch (mode) {
            case FILL_OR_DROP -> whenOutOfBounds;
            case CLIP -> BadIndices.CLIP;
            case PROMISE_IN_BOUNDS -> whenPromised;
          };
      return new IndexPolicy(bad, negative);
    }
  }
}
