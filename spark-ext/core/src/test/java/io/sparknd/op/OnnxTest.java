/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the worked examples of ONNX's operator pages, and the limits of each opset. */
class OnnxTest {
  private static final int NEWEST = Onnx.NEWEST_OPSET;
  private static final Tensor FOUR = Tensor.of(Shape.of(4, 1), 4L, 3, 1, 7);
  private static final Tensor NINE_TO_TWELVE = Tensor.of(Shape.of(4), 9f, 10, 11, 12);
  private static final Tensor ONE_TO_EIGHT = Tensor.of(Shape.of(8), 1f, 2, 3, 4, 5, 6, 7, 8);

  @Test
  void scatterNdReplacesElements() {
    ScatterCall call = Onnx.scatterNd(11, Reduction.NONE, FOUR, NINE_TO_TWELVE);
    assertSame(
        NaiveEngine.scatter(ONE_TO_EIGHT, call),
        Tensor.of(Shape.of(8), 1f, 11, 3, 10, 9, 6, 7, 12));
  }

  @Test
  void negativeIndicesNeedOpset11() {
    Tensor minus = Tensor.of(Shape.of(1), -1L);
    Tensor one = Tensor.of(Shape.of(1), 1f);
    assertThat(Onnx.gather(10, DType.FLOAT32, 0, minus).how().indices().negative())
        .isEqualTo(NegativeIndices.ERROR);
    assertThat(Onnx.gather(11, DType.FLOAT32, 0, minus).how().indices().negative())
        .isEqualTo(NegativeIndices.WRAP);
    assertThat(Onnx.scatter(10, 0, minus, one).how().indices().negative())
        .isEqualTo(NegativeIndices.ERROR);
    assertThatThrownBy(
            () -> Kernels.auto().gather(ONE_TO_EIGHT, Onnx.gather(10, DType.FLOAT32, 0, minus)))
        .hasMessage("indices[0] = [-1] is negative for axis 0 of shape [8]: correct it");
  }

  @Test
  void scatterNdReducesSlicesInOrder() {
    Tensor data = Tensor.of(Shape.of(2, 2), 1f, 2, 3, 4);
    Tensor twice = Tensor.of(Shape.of(2, 1), 0L, 0);
    Tensor updates = Tensor.of(Shape.of(2, 2), 5f, 0, 2, 3);
    assertSame(scatterNd(data, Reduction.ADD, twice, updates), row(8, 5));
    assertSame(scatterNd(data, Reduction.MUL, twice, updates), row(10, 0));
    assertSame(scatterNd(data, Reduction.MAX, twice, updates), row(5, 3));
    assertSame(scatterNd(data, Reduction.MIN, twice, updates), row(1, 0));
  }

  @Test
  void gatherNdReadsElementsSlicesAndBatches() {
    Tensor data = Tensor.of(Shape.of(2, 2), 0, 1, 2, 3);
    assertSame(gatherNd(data, 0, Tensor.of(Shape.of(2, 2), 0L, 0, 1, 1)), ints(Shape.of(2), 0, 3));
    assertSame(
        gatherNd(data, 0, Tensor.of(Shape.of(2, 1), 1L, 0)), ints(Shape.of(2, 2), 2, 3, 0, 1));
    Tensor cube = Tensor.of(Shape.of(2, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
    assertSame(
        gatherNd(cube, 0, Tensor.of(Shape.of(2, 1, 2), 0L, 1, 1, 0)),
        ints(Shape.of(2, 1, 2), 2, 3, 4, 5));
    assertSame(
        gatherNd(cube, 1, Tensor.of(Shape.of(2, 1), 1L, 0)), ints(Shape.of(2, 2), 2, 3, 4, 5));
  }

  @Test
  void scatterElementsFollowsTheAxis() {
    Tensor zeros = Tensor.zeros(DType.FLOAT32, Shape.of(3, 3));
    Tensor indices = Tensor.of(Shape.of(2, 3), 1, 0, 2, 0, 2, 1);
    Tensor updates = Tensor.of(Shape.of(2, 3), 1.0f, 1.1f, 1.2f, 2.0f, 2.1f, 2.2f);
    ScatterCall call = Onnx.scatterElements(11, 0, Reduction.NONE, indices, updates);
    assertSame(
        NaiveEngine.scatter(zeros, call),
        Tensor.of(Shape.of(3, 3), 2.0f, 1.1f, 0, 1.0f, 0, 2.2f, 0, 2.1f, 1.2f));
    Tensor row = Tensor.of(Shape.of(1, 5), 1f, 2, 3, 4, 5);
    assertSame(
        NaiveEngine.scatter(
            row,
            Onnx.scatterElements(
                NEWEST,
                1,
                Reduction.ADD,
                Tensor.of(Shape.of(1, 2), 1, -4),
                Tensor.of(Shape.of(1, 2), 1.5f, 2))),
        Tensor.of(Shape.of(1, 5), 1f, 5.5f, 3, 4, 5));
  }

  @Test
  void gatherElementsFollowsTheAxis() {
    Tensor data = Tensor.of(Shape.of(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9);
    GatherCall call =
        Onnx.gatherElements(11, DType.INT32, 0, Tensor.of(Shape.of(2, 3), -2, -1, 0, -1, 0, 0));
    assertSame(NaiveEngine.gather(data, call), ints(Shape.of(2, 3), 4, 8, 3, 7, 2, 3));
  }

  @Test
  void gatherReplacesTheAxis() {
    Tensor data = Tensor.of(Shape.of(3, 2), 1.0f, 1.2f, 2.3f, 3.4f, 4.5f, 5.7f);
    GatherCall call = Onnx.gather(1, DType.FLOAT32, 0, Tensor.of(Shape.of(2, 2), 0, 1, 1, 2));
    assertSame(
        NaiveEngine.gather(data, call),
        Tensor.of(Shape.of(2, 2, 2), 1.0f, 1.2f, 2.3f, 3.4f, 2.3f, 3.4f, 4.5f, 5.7f));
  }

  @Test
  void scatterExistsInOpsets9And10Only() {
    Tensor row = Tensor.of(Shape.of(1, 5), 1f, 2, 3, 4, 5);
    Tensor indices = Tensor.of(Shape.of(1, 2), 1, 3);
    Tensor updates = Tensor.of(Shape.of(1, 2), 1.1f, 2.1f);
    assertSame(
        NaiveEngine.scatter(row, Onnx.scatter(10, 1, indices, updates)),
        Tensor.of(Shape.of(1, 5), 1, 1.1f, 3, 2.1f, 5));
    refused(() -> Onnx.scatter(8, 1, indices, updates), "Scatter needs opset 9; opset is 8");
    refused(
        () -> Onnx.scatter(11, 1, indices, updates),
        "Scatter ends with opset 10; opset is 11: use ScatterElements");
  }

  @Test
  void operatorsNeedTheirOpset() {
    Tensor ints = Tensor.of(Shape.of(1), 0L);
    refused(
        () -> Onnx.scatterNd(10, Reduction.NONE, FOUR, NINE_TO_TWELVE),
        "ScatterND needs opset 11; opset is 10");
    refused(() -> Onnx.gatherNd(10, DType.INT32, 0, FOUR), "GatherND needs opset 11; opset is 10");
    refused(
        () -> Onnx.gatherNd(11, DType.INT32, 1, FOUR), "batch_dims 1 needs opset 12; opset is 11");
    refused(
        () -> Onnx.scatterElements(10, 0, Reduction.NONE, ints, NINE_TO_TWELVE),
        "ScatterElements needs opset 11; opset is 10");
    refused(
        () -> Onnx.gatherElements(10, DType.INT32, 0, ints),
        "GatherElements needs opset 11; opset is 10");
    refused(() -> Onnx.gather(0, DType.INT32, 0, ints), "Gather needs opset 1; opset is 0");
  }

  @Test
  void reductionsNeedTheirOpset() {
    for (Reduction early : new Reduction[] {Reduction.ADD, Reduction.MUL}) {
      assertThat(Onnx.scatterNd(16, early, FOUR, NINE_TO_TWELVE).how().reduction())
          .isEqualTo(early);
      refused(
          () -> Onnx.scatterNd(13, early, FOUR, NINE_TO_TWELVE),
          "reduction '" + early + "' needs opset 16; opset is 13");
    }
    for (Reduction late : new Reduction[] {Reduction.MAX, Reduction.MIN}) {
      assertThat(Onnx.scatterNd(18, late, FOUR, NINE_TO_TWELVE).how().reduction()).isEqualTo(late);
      refused(
          () -> Onnx.scatterElements(16, 0, late, FOUR, NINE_TO_TWELVE),
          "reduction '" + late + "' needs opset 18; opset is 16");
    }
    refused(
        () -> Onnx.scatterNd(NEWEST, Reduction.SUB, FOUR, NINE_TO_TWELVE),
        "ScatterND has no reduction 'sub'; it has none, add, mul, max, min");
    refused(
        () -> Onnx.reduction("mean"),
        "reduction 'mean' is unknown; use one of none, add, mul, max, min");
  }

  @Test
  void bfloat16NeedsOpset13() {
    Tensor updates = Tensor.zeros(DType.BFLOAT16, Shape.of(4));
    String message = "bfloat16 needs opset 13; opset is 12";
    refused(() -> Onnx.scatterNd(12, Reduction.NONE, FOUR, updates), message);
    refused(() -> Onnx.gatherNd(12, DType.BFLOAT16, 0, FOUR), message);
    refused(() -> Onnx.gatherElements(12, DType.BFLOAT16, 0, FOUR), message);
    refused(() -> Onnx.gather(12, DType.BFLOAT16, 0, FOUR), message);
    refused(() -> Onnx.scatterElements(12, 0, Reduction.NONE, FOUR, updates), message);
    assertThat(Onnx.scatterNd(13, Reduction.NONE, FOUR, updates).updates()).isSameAs(updates);
  }

  @Test
  void indexTypesThatOnnxLacksAreRejected() {
    Tensor int32 = Tensor.of(Shape.of(4, 1), 4, 3, 1, 7);
    Tensor uint8 = Tensor.zeros(DType.UINT8, Shape.of(4, 1));
    assertThatThrownBy(() -> Onnx.scatterNd(11, Reduction.NONE, int32, NINE_TO_TWELVE))
        .hasMessage("ScatterND takes int64 indices; indices is int32");
    assertThatThrownBy(() -> Onnx.gatherNd(11, DType.INT32, 0, int32))
        .hasMessage("GatherND takes int64 indices; indices is int32");
    assertThatThrownBy(() -> Onnx.gather(11, DType.INT32, 0, uint8))
        .hasMessage("Gather takes int32 or int64 indices; indices is uint8");
    assertThatThrownBy(() -> Onnx.gatherElements(11, DType.INT32, 0, uint8))
        .hasMessage("GatherElements takes int32 or int64 indices; indices is uint8");
    assertThatThrownBy(() -> Onnx.scatter(10, 0, uint8, NINE_TO_TWELVE))
        .hasMessage("Scatter takes int32 or int64 indices; indices is uint8");
  }

  private static Tensor scatterNd(
      Tensor data, Reduction reduction, Tensor indices, Tensor updates) {
    return NaiveEngine.scatter(data, Onnx.scatterNd(18, reduction, indices, updates));
  }

  private static Tensor gatherNd(Tensor data, int batchDims, Tensor indices) {
    return NaiveEngine.gather(data, Onnx.gatherNd(12, data.dtype(), batchDims, indices));
  }

  private static Tensor row(float first, float second) {
    return Tensor.of(Shape.of(2, 2), first, second, 3, 4);
  }

  private static Tensor ints(Shape shape, int... values) {
    return Tensor.of(shape, values);
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .hasMessage(message)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.kind()).isEqualTo(SparkNdException.Kind.ATTRIBUTE));
  }
}
