/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Tests the worked examples of JAX's documentation. */
class JaxTest {
  private static final Shape FIVE = Shape.of(5);
  private static final Tensor X = Tensor.of(FIVE, 0f, 1, 2, 3, 4);

  @Test
  void updatesOneElement() {
    Tensor ten = Tensor.of(Shape.of(), 10f);
    assertSame(run(at(2).set(ten)), Tensor.of(FIVE, 0f, 1, 10, 3, 4));
    assertSame(run(at(2).add(ten)), Tensor.of(FIVE, 0f, 1, 12, 3, 4));
    assertSame(run(at(2).subtract(ten)), Tensor.of(FIVE, 0f, 1, -8, 3, 4));
    assertSame(run(at(2).multiply(ten)), Tensor.of(FIVE, 0f, 1, 20, 3, 4));
    assertSame(run(at(2).divide(Tensor.of(Shape.of(), 4f))), Tensor.of(FIVE, 0f, 1, .5f, 3, 4));
    assertSame(run(at(2).min(Tensor.of(Shape.of(), 1f))), Tensor.of(FIVE, 0f, 1, 1, 3, 4));
    assertSame(run(at(2).max(ten)), Tensor.of(FIVE, 0f, 1, 10, 3, 4));
  }

  @Test
  void minAndMaxPropagateNan() {
    Tensor nan = Tensor.of(Shape.of(), Float.NaN);
    assertSame(run(at(2).min(nan)), Tensor.of(FIVE, 0f, 1, Float.NaN, 3, 4));
    assertSame(run(at(2).max(nan)), Tensor.of(FIVE, 0f, 1, Float.NaN, 3, 4));
  }

  @Test
  void dropsUpdatesOutOfBounds() {
    Tensor ten = Tensor.of(Shape.of(), 10f);
    assertSame(run(at(20).add(ten)), X);
    assertSame(run(at(-1).add(ten)), Tensor.of(FIVE, 0f, 1, 2, 3, 14));
    assertSame(run(at(-6).add(ten)), X);
    Jax.At unwrapped = at(-1).withNegativeIndices(NegativeIndices.OUT_OF_BOUNDS);
    assertSame(run(unwrapped.add(ten)), X);
  }

  @Test
  void clipModeClips() {
    Tensor ten = Tensor.of(Shape.of(), 10f);
    assertSame(run(at(20).withMode(Jax.Mode.CLIP).add(ten)), Tensor.of(FIVE, 0f, 1, 2, 3, 14));
    Jax.At unwrapped =
        at(-1).withMode(Jax.Mode.CLIP).withNegativeIndices(NegativeIndices.OUT_OF_BOUNDS);
    assertSame(run(unwrapped.add(ten)), Tensor.of(FIVE, 10f, 1, 2, 3, 4));
  }

  /**
   * Expected values are those of {@code jnp.arange(5.0).at[[20, -6, -20, 2]].get()} in JAX 0.10.2.
   */
  @Test
  void gatherWithoutAModeClips() {
    Tensor far = Tensor.of(Shape.of(4, 1), 20, -6, -20, 2);
    Jax.At at = Jax.at(DType.FLOAT32, FIVE, far);
    Tensor clipped = Tensor.of(Shape.of(4), 4f, 0, 0, 2);
    assertSame(NaiveEngine.gather(X, at.get()), clipped);
    assertSame(NaiveEngine.gather(X, at.get(-1)), clipped); // fill_value needs mode fill
    assertSame(NaiveEngine.gather(X, at.withMode(Jax.Mode.PROMISE_IN_BOUNDS).get()), clipped);
    assertSame(Kernels.auto().gather(X, at.get()), clipped);
    Jax.At unwrapped = at(-1).withNegativeIndices(NegativeIndices.OUT_OF_BOUNDS);
    assertSame(NaiveEngine.gather(X, unwrapped.get()), Tensor.of(Shape.of(), 0f));
  }

  @Test
  void fillModeFillsOutOfBoundsReads() {
    Jax.At fill = at(20).withMode(Jax.Mode.FILL_OR_DROP);
    assertSame(NaiveEngine.gather(X, fill.get()), Tensor.of(Shape.of(), Float.NaN));
    assertSame(NaiveEngine.gather(X, fill.get(-1)), Tensor.of(Shape.of(), -1f));
    assertSame(
        NaiveEngine.gather(X, at(20).withMode(Jax.Mode.CLIP).get()), Tensor.of(Shape.of(), 4f));
    assertSame(NaiveEngine.gather(X, at(-1).get()), Tensor.of(Shape.of(), 4f));
  }

  @Test
  void fillsByDType() {
    assertThat(filled(DType.FLOAT16)).isEqualTo(Float.NaN);
    assertThat(filled(DType.BFLOAT16)).isEqualTo(Float.NaN);
    assertThat(filled(DType.FLOAT64)).isEqualTo(Double.NaN);
    assertThat(filled(DType.COMPLEX64)).isEqualTo(new Complex(Double.NaN, 0));
    assertThat(filled(DType.INT8)).isEqualTo(-128L);
    assertThat(filled(DType.INT64)).isEqualTo(Long.MIN_VALUE);
    assertThat(filled(DType.UINT32)).isEqualTo(4294967295L);
    assertThat(filled(DType.UINT64)).isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(filled(DType.BOOL)).isEqualTo(true);
    assertThat(filled(DType.STRING)).isEqualTo("");
  }

  @Test
  void fillFollowsTheTensorAndNotTheNamedDType() {
    Jax.At at = Jax.at(DType.INT32, FIVE, Tensor.of(Shape.of(1), 20));
    GatherCall call = at.withMode(Jax.Mode.FILL_OR_DROP).get();
    assertSame(Kernels.auto().gather(X, call), Tensor.of(Shape.of(), Float.NaN));
  }

  @Test
  void outOfBoundsUpdatesInPromiseModeAreDropped() {
    ScatterCall call = at(20).withMode(Jax.Mode.PROMISE_IN_BOUNDS).add(Tensor.of(Shape.of(), 10f));
    assertSame(run(call), X);
  }

  @Test
  void broadcastsValuesOverSlots() {
    Shape shape = Shape.of(2, 2);
    Tensor zeros = Tensor.zeros(DType.INT32, shape);
    Tensor rows = Tensor.of(Shape.of(3, 1), 0, 1, 0);
    Jax.At at = Jax.at(DType.INT32, shape, rows);
    assertSame(
        NaiveEngine.scatter(zeros, at.add(Tensor.of(Shape.of(2), 1, 10))),
        Tensor.of(shape, 2, 20, 1, 10));
    assertThatThrownBy(() -> at.add(Tensor.of(Shape.of(3), 1, 2, 3)))
        .hasMessage(
            "shape [3] does not broadcast to [3, 2]; from the last dimension backwards each must"
                + " be equal or 1");
  }

  @Test
  void sumsSegments() {
    Tensor data = Tensor.of(FIVE, 0, 1, 2, 3, 4);
    assertSame(segmentSum(data, 3, 0, 0, 1, 1, 2), Tensor.of(Shape.of(3), 1, 5, 4));
    assertSame(segmentSum(data, 2, 0, -1, 1, 2, 1), Tensor.of(Shape.of(2), 0, 6));
    assertThat(Jax.segments(Shape.of(5, 7), 3)).isEqualTo(Shape.of(3, 7));
  }

  @Test
  void parsesModeNames() {
    assertThat(Jax.Mode.named("fill")).isEqualTo(Jax.Mode.FILL_OR_DROP);
    assertThat(Jax.Mode.named("drop")).isEqualTo(Jax.Mode.FILL_OR_DROP);
    assertThat(Jax.Mode.named("clip")).isEqualTo(Jax.Mode.CLIP);
    assertThat(Jax.Mode.named("promise_in_bounds")).isEqualTo(Jax.Mode.PROMISE_IN_BOUNDS);
    assertThat(Jax.reduction("set")).isEqualTo(Reduction.NONE);
    assertThat(Jax.reduction("divide")).isEqualTo(Reduction.DIV);
    assertThatThrownBy(() -> Jax.Mode.named("wrap"))
        .hasMessage("mode 'wrap' is unknown; use one of fill, drop, clip, promise_in_bounds");
    assertThatThrownBy(() -> at(0).update(Reduction.MEAN, X))
        .hasMessageStartingWith("JAX's at[] has no at[] method 'mean'; it has set, add");
  }

  private static Jax.At at(int index) {
    return Jax.at(DType.FLOAT32, FIVE, Tensor.of(Shape.of(1), index));
  }

  private static Tensor run(ScatterCall call) {
    return NaiveEngine.scatter(X, call);
  }

  private static Object filled(DType dtype) {
    Shape shape = Shape.of(2);
    Jax.At at = Jax.at(dtype, shape, Tensor.of(Shape.of(1), 9)).withMode(Jax.Mode.FILL_OR_DROP);
    return NaiveEngine.gather(Tensor.zeros(dtype, shape), at.get()).element(0);
  }

  private static Tensor segmentSum(Tensor data, int segments, int... ids) {
    ScatterCall call = Jax.segmentSum(data, Tensor.of(Shape.of(ids.length), ids));
    Tensor zeros = Tensor.zeros(data.dtype(), Jax.segments(data.shape(), segments));
    return NaiveEngine.scatter(zeros, call);
  }
}
