/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * PyTorch's operators. For {@code scatter}, {@code gather}, {@code index_add} and {@code
 * index_select} a negative index is an error; for {@code index_put} and {@code x[i, j]} it counts
 * from the end. An out-of-bounds index is an error. A negative {@code dim} counts from the end. A
 * scalar counts as a vector of one element, with {@code dim} 0 or -1. If updates repeat an element
 * without accumulation, the last one wins; PyTorch leaves this undefined. {@code scatter_add} and
 * {@code scatter_reduce} fold float16 and bfloat16 in float32 and round once, as on PyTorch's CPU;
 * the other sums round each step. Source: {@code torch.Tensor.scatter_}, {@code scatter_reduce_},
 * {@code index_add_}, {@code index_put_} and {@code torch.index_select} in PyTorch's documentation.
 */
public final class PyTorch {
  private static final OptionNames<Reduction> REDUCTIONS =
      OptionNames.<Reduction>of("reduce")
          .and("sum", Reduction.ADD)
          .and("prod", Reduction.MUL)
          .and("mean", Reduction.MEAN)
          .and("amax", Reduction.MAX)
          .and("amin", Reduction.MIN);

  private static final IndexPolicy STRICT = IndexPolicy.STRICT.withRemedy(PolicyRemedy.NONE);
  private static final IndexPolicy WRAPPING = IndexPolicy.WRAPPING.withRemedy(PolicyRemedy.NONE);

  private PyTorch() {}

  /**
   * Returns the reduction that {@code scatter_reduce} calls {@code name}: {@code sum}, {@code
   * prod}, {@code mean}, {@code amax} or {@code amin}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction reduction(String name) {
    return REDUCTIONS.find(name);
  }

  /**
   * {@code scatter}: {@code self[..., index[p], ...] = src[p]}, where the index value replaces
   * coordinate {@code dim} of {@code p}.
   *
   * @param index integers of the tensor's rank, no larger than it except along {@code dim}
   * @param src of the same rank and no smaller than {@code index}; {@code src[:index.shape]} is
   *     used
   * @throws io.sparknd.tensor.SparkNdException if {@code src} is smaller
   */
  public static ScatterCall scatter(int dim, Tensor index, Tensor src) {
    return elements(Scatter.update(), dim, index, src);
  }

  /** {@code scatter_add}: adds {@code src} to the elements that {@link #scatter} would replace. */
  public static ScatterCall scatterAdd(int dim, Tensor index, Tensor src) {
    return elements(Scatter.add().withRounding(HalfRounding.ONCE), dim, index, src);
  }

  /**
   * {@code scatter_reduce}: reduces {@code src} into the elements that {@link #scatter} would
   * replace. The mean of integers is rounded toward negative infinity. PyTorch rounds the sum of a
   * mean of float16 or bfloat16 before it divides; this class rounds the quotient only.
   *
   * @param reduce {@code ADD} (sum), {@code MUL} (prod), {@code MEAN}, {@code MAX} (amax) or {@code
   *     MIN} (amin)
   * @param self whether the element is part of the fold, {@code include_self}
   * @throws io.sparknd.tensor.SparkNdException if PyTorch has no such reduction, or {@code src} is
   *     smaller than {@code index}
   */
  public static ScatterCall scatterReduce(
      int dim, Tensor index, Tensor src, Reduction reduce, IncludeSelf self) {
    REDUCTIONS.require("PyTorch's scatter_reduce", reduce);
    Scatter how = Scatter.of(reduce).withSelf(self).withRounding(HalfRounding.ONCE);
    return elements(how, dim, index, src);
  }

  /** {@code index_add} with an {@code alpha} of 1. */
  public static ScatterCall indexAdd(int dim, Tensor index, Tensor source) {
    return indexAdd(dim, index, source, 1);
  }

  /**
   * {@code index_add}: {@code self[..., index[i], ...] += alpha * source[..., i, ...]}, with {@code
   * i} at dimension {@code dim}. The product is computed and rounded in the dtype of {@code
   * source}.
   *
   * @param index integers, a vector or a scalar
   * @param source the tensor's shape, with the length of {@code index} along {@code dim}; a scalar
   *     if the tensor is one
   * @param alpha a value of the dtype of {@code source}; bool and strings take only 1
   * @throws io.sparknd.tensor.SparkNdException if {@code index} is of higher rank, or {@code alpha}
   *     is not valid for the dtype
   */
  public static ScatterCall indexAdd(int dim, Tensor index, Tensor source, Number alpha) {
    Tensor indices = indexVector("index_add", index);
    Tensor scaled = ScaledTensor.of(source, alpha);
    Scatter how = Scatter.add().withIndices(STRICT);
    return new ScatterCall(how, new Indexing.AxisOrScalar(dim), indices, scaled);
  }

  /**
   * {@code index_put}: {@code tensor[i, j, ...] = values}.
   *
   * @param tensor the shape of the tensor that the call runs on
   * @param indices index tuples {@code [..., k]}; {@link AdvancedIndex#stack} builds them from
   *     {@code i}, {@code j}, ...
   * @param values broadcast to {@code [...] + tensor[k:]}
   * @throws io.sparknd.tensor.SparkNdException if the shapes do not match
   */
  public static ScatterCall indexPut(Shape tensor, Tensor indices, Tensor values) {
    return put(Scatter.update(), tensor, indices, values);
  }

  /** {@code index_put} with {@code accumulate}: {@code tensor[i, j, ...] += values}. */
  public static ScatterCall indexPutAccumulate(Shape tensor, Tensor indices, Tensor values) {
    return put(Scatter.add(), tensor, indices, values);
  }

  /**
   * {@code gather}: {@code out[p] = self[..., index[p], ...]}, where the index value replaces
   * coordinate {@code dim} of {@code p}.
   *
   * @param index integers of the tensor's rank, no larger than it except along {@code dim}; the
   *     result has their shape
   */
  public static GatherCall gather(int dim, Tensor index) {
    return new GatherCall(new Gather(STRICT), new Indexing.ElementsOrScalar(dim), index);
  }

  /**
   * {@code index_select}: {@code out[..., i, ...] = self[..., index[i], ...]}, with {@code i} at
   * dimension {@code dim}.
   *
   * @param index integers, a vector or a scalar
   * @throws io.sparknd.tensor.SparkNdException if {@code index} is of higher rank
   */
  public static GatherCall indexSelect(int dim, Tensor index) {
    Tensor indices = indexVector("index_select", index);
    return new GatherCall(new Gather(STRICT), new Indexing.AxisOrScalar(dim), indices);
  }

  /**
   * {@code tensor[i, j, ...]}, of shape {@code [...] + tensor[k:]}.
   *
   * @param indices index tuples {@code [..., k]}; {@link AdvancedIndex#stack} builds them from
   *     {@code i}, {@code j}, ...
   */
  public static GatherCall index(Tensor indices) {
    return GatherCall.of(new Gather(WRAPPING), indices);
  }

  private static Tensor indexVector(String operator, Tensor index) {
    if (index.shape().rank() > 1) {
      throw OperatorErrors.indexNotVector(operator, index.shape());
    }
    return index.reshape(Shape.of(index.elements()));
  }

  private static ScatterCall elements(Scatter with, int dim, Tensor index, Tensor src) {
    Scatter how = with.withIndices(STRICT);
    if (index.elements() == 0) { // of any rank, as in PyTorch: nothing to do
      Tensor none = Tensor.zeros(src.dtype(), index.shape());
      return new ScatterCall(how, new Indexing.ElementsOrScalar(dim), index, none);
    }
    boolean hasScalar = src.shape().rank() == 0 || index.shape().rank() == 0;
    Tensor updates =
        hasScalar
            ? LeadingSlices.of(vector(src), vector(index).shape()).reshape(index.shape())
            : LeadingSlices.of(src, index.shape());
    return new ScatterCall(how, new Indexing.ElementsOrScalar(dim), index, updates);
  }

  /** Reshapes a scalar to a vector of one element. */
  private static Tensor vector(Tensor tensor) {
    return tensor.shape().rank() == 0 ? tensor.reshape(Shape.of(1)) : tensor;
  }

  private static ScatterCall put(Scatter how, Shape tensor, Tensor indices, Tensor values) {
    Shape needed = Indexing.tuples().plan(tensor, indices.shape()).updates();
    Tensor updates = ShapeBroadcast.to(needed, values);
    return ScatterCall.of(how.withIndices(WRAPPING), indices, updates);
  }
}
