/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * NumPy's {@code ufunc.at}, and assignment and reading through index arrays. Index tuples {@code
 * [..., k]}, which {@link AdvancedIndex#stack} builds from the arrays of {@code a[i, j, ...]}, name
 * slices of {@code tensor[k:]}. Negative indices count from the end; an out-of-bounds index is an
 * error. Values broadcast to {@code [...] + tensor[k:]}, so each method that writes takes the shape
 * of the tensor that the call runs on. Updates apply one after the other in row-major order.
 * Source: {@code numpy.ufunc.at} and "Assigning values to indexed arrays" in NumPy's documentation,
 * 2.x.
 */
public final class NumPy {
  private static final OptionNames<Reduction> UFUNCS =
      OptionNames.<Reduction>of("ufunc")
          .and("add", Reduction.ADD)
          .and("subtract", Reduction.SUB)
          .and("multiply", Reduction.MUL)
          .and("divide", Reduction.DIV)
          .and("minimum", Reduction.MIN)
          .and("maximum", Reduction.MAX)
          .and("fmin", Reduction.FMIN)
          .and("fmax", Reduction.FMAX);

  private static final IndexPolicy POLICY = IndexPolicy.WRAPPING.withRemedy(PolicyRemedy.NONE);

  private NumPy() {}

  /**
   * Returns the reduction of NumPy's ufunc {@code name}, such as {@code minimum}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction reduction(String name) {
    return UFUNCS.find(name);
  }

  /** {@code np.add.at}. */
  public static ScatterCall addAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.ADD, tensor, indices, values);
  }

  /** {@code np.subtract.at}. */
  public static ScatterCall subtractAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.SUB, tensor, indices, values);
  }

  /** {@code np.multiply.at}. */
  public static ScatterCall multiplyAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.MUL, tensor, indices, values);
  }

  /** {@code np.minimum.at}: NaN if either is NaN. */
  public static ScatterCall minimumAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.MIN, tensor, indices, values);
  }

  /** {@code np.maximum.at}: NaN if either is NaN. */
  public static ScatterCall maximumAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.MAX, tensor, indices, values);
  }

  /** {@code np.fmin.at}: the number if only one is NaN. */
  public static ScatterCall fminAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.FMIN, tensor, indices, values);
  }

  /** {@code np.fmax.at}: the number if only one is NaN. */
  public static ScatterCall fmaxAt(Shape tensor, Tensor indices, Tensor values) {
    return at(Reduction.FMAX, tensor, indices, values);
  }

  /**
   * {@code ufunc.at} of the ufunc with this reduction.
   *
   * @param reduction the ufunc's reduction, see {@link #reduction}
   * @throws io.sparknd.tensor.SparkNdException if no ufunc has this reduction, or the shapes do not
   *     match
   */
  public static ScatterCall at(Reduction reduction, Shape tensor, Tensor indices, Tensor values) {
    UFUNCS.require("NumPy's ufunc.at", reduction);
    return call(reduction, indices, ShapeBroadcast.to(needed(tensor, indices), values));
  }

  /**
   * {@code tensor[i, j, ...] = values}; the last value of an element wins. As in NumPy, values may
   * have extra leading dimensions of 1.
   *
   * @throws io.sparknd.tensor.SparkNdException if the shapes do not match
   */
  public static ScatterCall setItem(Shape tensor, Tensor indices, Tensor values) {
    Shape needed = needed(tensor, indices);
    Tensor trimmed = ShapeBroadcast.withoutLeadingOnes(needed, values);
    return call(Reduction.NONE, indices, ShapeBroadcast.to(needed, trimmed));
  }

  /** {@code tensor[i, j, ...]}, of shape {@code [...] + tensor[k:]}. */
  public static GatherCall index(Tensor indices) {
    return GatherCall.of(new Gather(POLICY), indices);
  }

  private static Shape needed(Shape tensor, Tensor indices) {
    return Indexing.tuples().plan(tensor, indices.shape()).updates();
  }

  private static ScatterCall call(Reduction reduction, Tensor indices, Tensor updates) {
    Scatter how = Scatter.of(reduction).withIndices(POLICY);
    return ScatterCall.of(how, indices, updates);
  }
}
