/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the shape and dtype checks of calls. */
class IndexPlanTest {

  @Test
  void updatesAreSlotsThenSlice() {
    IndexPlan plan = tuples(0, Shape.of(6, 3), Shape.of(2, 4, 1));
    assertThat(plan.updates()).isEqualTo(Shape.of(2, 4, 3));
    assertThat(plan.slice()).isEqualTo(Shape.of(3));
    assertThat(plan.slots()).isEqualTo(8);
    assertThat(plan.slices()).isEqualTo(6);
    assertThat(plan.depth()).isEqualTo(1);
  }

  @Test
  void depthZeroSelectsTheWholeTensor() {
    IndexPlan plan = tuples(0, Shape.of(6, 3), Shape.of(2, 0));
    assertThat(plan.updates()).isEqualTo(Shape.of(2, 6, 3));
    assertThat(plan.slices()).isEqualTo(1);
  }

  @Test
  void rankZeroTakesEmptyTuples() {
    IndexPlan plan = tuples(0, Shape.of(), Shape.of(0));
    assertThat(plan.updates()).isEqualTo(Shape.of());
    assertThat(plan.slots()).isEqualTo(1);
    assertThat(plan.slices()).isEqualTo(1);
  }

  @Test
  void dimensionsOfSizeZeroAreAllowed() {
    IndexPlan plan = tuples(0, Shape.of(0, 3), Shape.of(0, 1));
    assertThat(plan.updates()).isEqualTo(Shape.of(0, 3));
    assertThat(plan.slots()).isZero();
    assertThat(tuples(0, Shape.of(4, 0), Shape.of(2, 1)).updates()).isEqualTo(Shape.of(2, 0));
  }

  @Test
  void rankEightWorksAtAnyDepth() {
    Shape tensor = Shape.of(2, 3, 1, 2, 2, 1, 3, 2);
    for (int depth = 0; depth <= 8; depth++) {
      IndexPlan plan = tuples(0, tensor, Shape.of(5, depth));
      assertThat(plan.updates()).isEqualTo(Shape.of(5).concat(tensor.from(depth)));
      assertThat(plan.slices()).isEqualTo(tensor.first(depth).elements());
    }
  }

  @Test
  void tensorsUpTo2To63Work() {
    long most = Long.MAX_VALUE;
    assertThat(tuples(0, Shape.of(most), Shape.of(1, 1)).slices()).isEqualTo(most);
    assertThat(tuples(0, Shape.of(1L << 31, 1L << 31, 1), Shape.of(1, 2)).slices())
        .isEqualTo(1L << 62);
  }

  @Test
  void wrongUpdatesShapeIsNamed() {
    ScatterCall call =
        ScatterCall.of(
            Scatter.add(), Tensor.of(Shape.of(2, 1), 0, 1), Tensor.of(Shape.of(2, 2), 1, 2, 3, 4));
    refused(
        () -> call.plan(DType.INT32, Shape.of(6, 3)),
        SparkNdException.Kind.SHAPE,
        "updates has shape [2, 2]; indices [2, 1] into tensor [6, 3] needs [2, 3]");
  }

  @Test
  void wrongUpdatesDTypeIsNamed() {
    ScatterCall call =
        ScatterCall.of(Scatter.add(), Tensor.of(Shape.of(1, 1), 0), Tensor.of(Shape.of(1), 1f));
    refused(
        () -> call.plan(DType.INT32, Shape.of(6)),
        SparkNdException.Kind.DTYPE,
        "updates is float32 and the tensor int32; both must be the same");
  }

  @Test
  void indicesMustBeIntegers() {
    Tensor indices = Tensor.of(Shape.of(1, 1), 0f);
    ScatterCall scatter = ScatterCall.of(Scatter.add(), indices, Tensor.of(Shape.of(1), 1));
    String message = "indices is float32; indices must be integers, such as int64";
    refused(() -> scatter.plan(DType.INT32, Shape.of(6)), SparkNdException.Kind.DTYPE, message);
    refused(
        () -> GatherCall.of(Gather.strict(), indices).plan(Shape.of(6)),
        SparkNdException.Kind.DTYPE,
        message);
  }

  @Test
  void undefinedReductionsAndFillAreRefused() {
    refused(
        () -> ScatterCall.check(Scatter.of(Reduction.DIV), DType.INT32),
        SparkNdException.Kind.DTYPE,
        "div is not defined for int32");
    refused(
        () -> ScatterCall.check(Scatter.add().withBadIndices(BadIndices.fill(1)), DType.INT32),
        SparkNdException.Kind.ATTRIBUTE,
        "bad_indices 'fill' is for gathers; a scatter takes 'error', 'ignore' or 'clip'");
    ScatterCall quotient =
        ScatterCall.of(
            Scatter.of(Reduction.DIV), Tensor.of(Shape.of(1, 1), 0), Tensor.of(Shape.of(1), 1));
    refused(
        () -> quotient.plan(DType.INT32, Shape.of(6)),
        SparkNdException.Kind.DTYPE,
        "div is not defined for int32");
  }

  @Test
  void aScalarHasTheAxesOfAVector() {
    Shape scalar = Shape.of();
    for (int axis : new int[] {0, -1}) {
      IndexPlan one = new Indexing.ElementsOrScalar(axis).plan(scalar, Shape.of(1));
      assertThat(one.updates()).isEqualTo(Shape.of(1));
      assertThat(one.slices()).isEqualTo(1);
      IndexPlan across = new Indexing.AxisOrScalar(axis).plan(scalar, Shape.of(1));
      assertThat(across.updates()).isEqualTo(scalar);
    }
    for (int axis : new int[] {1, -2}) {
      String message =
          "dim is "
              + axis
              + "; for a scalar tensor or scalar indices it must be 0 or -1"
              + " (the tensor has shape [])";
      refusedShape(() -> new Indexing.ElementsOrScalar(axis).plan(scalar, Shape.of(1)), message);
      refusedShape(() -> new Indexing.ElementsOrScalar(axis).plan(scalar, Shape.of(0)), message);
      refusedShape(() -> new Indexing.AxisOrScalar(axis).plan(scalar, Shape.of(1)), message);
    }
  }

  @Test
  void scalarIndicesAreRefused() {
    refusedShape(
        () -> tuples(0, Shape.of(6), Shape.of()),
        "indices is a scalar; indices into tensor [6] needs shape [..., depth], such as [n, 1]");
  }

  @Test
  void tuplesLongerThanTheRankAreRefused() {
    refusedShape(
        () -> tuples(0, Shape.of(2, 2), Shape.of(1, 3)),
        "indices has shape [1, 3], so each tuple has 3 values; tensor [2, 2] takes at most 2");
    refusedShape(
        () -> tuples(1, Shape.of(2, 2), Shape.of(2, 2)),
        "indices has shape [2, 2], so each tuple has 2 values; tensor [2, 2] takes at most 1"
            + " after 1 batch dimensions");
  }

  @Test
  void batchDimensionsMustMatch() {
    IndexPlan plan = tuples(1, Shape.of(2, 5, 3), Shape.of(2, 4, 1));
    assertThat(plan.updates()).isEqualTo(Shape.of(2, 4, 3));
    assertThat(plan.slices()).isEqualTo(10);
    refusedShape(
        () -> tuples(1, Shape.of(3, 5), Shape.of(2, 4, 1)),
        "indices [2, 4, 1] and tensor [3, 5] differ in their first 1 (batch_dims) dimensions:"
            + " [2] and [3]");
    refusedShape(
        () -> tuples(2, Shape.of(2, 2), Shape.of(2, 2)),
        "batch_dims is 2; with indices [2, 2] and tensor [2, 2] it must be from 0 to 1");
    refusedShape(
        () -> tuples(-1, Shape.of(2, 2), Shape.of(2, 2)),
        "batch_dims is -1; with indices [2, 2] and tensor [2, 2] it must be from 0 to 1");
  }

  @Test
  void elementIndicesSelectOneElementEach() {
    IndexPlan plan = new Indexing.Elements(-1).plan(Shape.of(3, 4), Shape.of(2, 9));
    assertThat(plan.updates()).isEqualTo(Shape.of(2, 9));
    assertThat(plan.slices()).isEqualTo(12);
    refusedShape(
        () -> new Indexing.Elements(0).plan(Shape.of(3, 4), Shape.of(3)),
        "indices [3] has rank 1 and tensor [3, 4] rank 2; element-wise indices need the same rank");
    refusedShape(
        () -> new Indexing.Elements(0).plan(Shape.of(3, 4), Shape.of(3, 5)),
        "indices [3, 5] is larger than tensor [3, 4] in dimension 1; only axis 0 may be");
  }

  @Test
  void anAxisIsReplacedByTheIndices() {
    IndexPlan plan = new Indexing.Axis(1).plan(Shape.of(3, 4, 5), Shape.of(2, 2));
    assertThat(plan.updates()).isEqualTo(Shape.of(3, 2, 2, 5));
    assertThat(plan.slots()).isEqualTo(12);
    assertThat(plan.slices()).isEqualTo(12);
    refusedShape(
        () -> new Indexing.Axis(2).plan(Shape.of(3, 4), Shape.of(2)),
        "axis is 2; tensor [3, 4] has axes from -2 to 1");
    refusedShape(
        () -> new Indexing.Axis(-3).plan(Shape.of(3, 4), Shape.of(2)),
        "axis is -3; tensor [3, 4] has axes from -2 to 1");
  }

  private static IndexPlan tuples(int batchDims, Shape tensor, Shape indices) {
    return new Indexing.Tuples(batchDims).plan(tensor, indices);
  }

  private static void refusedShape(ThrowingCallable call, String message) {
    refused(call, SparkNdException.Kind.SHAPE, message);
  }

  private static void refused(ThrowingCallable call, SparkNdException.Kind kind, String message) {
    assertThatThrownBy(call)
        .hasMessage(message)
        .isInstanceOfSatisfying(SparkNdException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
