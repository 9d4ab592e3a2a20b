/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.oracle.NaiveEngine;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tests the worked examples of TensorFlow's API documentation. */
class TensorFlowTest {
  private static final Tensor FOUR = Tensor.of(Shape.of(4, 1), 4, 3, 1, 7);
  private static final Tensor NINE_TO_TWELVE = Tensor.of(Shape.of(4), 9, 10, 11, 12);

  @Test
  void scattersElementsIntoZeros() {
    ScatterCall call = TensorFlow.scatterNd(FOUR, NINE_TO_TWELVE);
    assertSame(
        NaiveEngine.scatter(Tensor.zeros(DType.INT32, Shape.of(8)), call),
        Tensor.of(Shape.of(8), 0, 11, 0, 10, 9, 0, 0, 12));
  }

  @Test
  void sumsDuplicatesAndJoinsStrings() {
    Tensor indices = Tensor.of(Shape.of(3, 1), 1, 0, 1);
    ScatterCall words = TensorFlow.scatterNd(indices, Tensor.of(Shape.of(3), "a", "b", "c"));
    assertSame(
        NaiveEngine.scatter(Tensor.zeros(DType.STRING, Shape.of(3)), words),
        Tensor.of(Shape.of(3), "b", "ac", ""));
  }

  @Test
  void updatesAddsSubtractsAndKeepsExtremes() {
    Tensor ones = Tensor.fill(DType.INT32, Shape.of(8), 1);
    assertSame(
        NaiveEngine.scatter(ones, TensorFlow.tensorScatterNdAdd(FOUR, NINE_TO_TWELVE)),
        Tensor.of(Shape.of(8), 1, 12, 1, 11, 10, 1, 1, 13));
    assertSame(
        NaiveEngine.scatter(ones, TensorFlow.tensorScatterNdSub(FOUR, NINE_TO_TWELVE)),
        Tensor.of(Shape.of(8), 1, -10, 1, -9, -8, 1, 1, -11));
    assertSame(
        NaiveEngine.scatter(ones, TensorFlow.tensorScatterNdUpdate(FOUR, NINE_TO_TWELVE)),
        Tensor.of(Shape.of(8), 1, 11, 1, 10, 9, 1, 1, 12));
    Tensor signs = Tensor.of(Shape.of(4), -1, 2, 0, 1);
    assertSame(
        NaiveEngine.scatter(ones, TensorFlow.tensorScatterNdMin(FOUR, signs)),
        Tensor.of(Shape.of(8), 1, 0, 1, 1, -1, 1, 1, 1));
    assertSame(
        NaiveEngine.scatter(ones, TensorFlow.tensorScatterNdMax(FOUR, signs)),
        Tensor.of(Shape.of(8), 1, 1, 1, 2, 1, 1, 1, 1));
  }

  @Test
  void gathersElementsAndSlices() {
    Tensor params = Tensor.of(Shape.of(2, 2), "a", "b", "c", "d");
    assertSame(
        NaiveEngine.gather(params, TensorFlow.gatherNd(Tensor.of(Shape.of(2, 2), 0, 0, 1, 1), 0)),
        Tensor.of(Shape.of(2), "a", "d"));
    assertSame(
        NaiveEngine.gather(params, TensorFlow.gatherNd(Tensor.of(Shape.of(2, 1), 1, 0), 0)),
        Tensor.of(Shape.of(2, 2), "c", "d", "a", "b"));
  }

  @Test
  void gathersInBatches() {
    Tensor params = Tensor.of(Shape.of(2, 2, 2), "a0", "b0", "c0", "d0", "a1", "b1", "c1", "d1");
    GatherCall call = TensorFlow.gatherNd(Tensor.of(Shape.of(2, 1), 1, 0), 1);
    assertSame(NaiveEngine.gather(params, call), Tensor.of(Shape.of(2, 2), "c0", "d0", "a1", "b1"));
  }

  @Test
  void ignorePolicyDropsBadAndNegativeIndices() {
    Tensor indices = Tensor.of(Shape.of(3, 1), 1, 8, -1);
    Tensor updates = Tensor.of(Shape.of(3), 9, 10, 11);
    Tensor zeros = Tensor.zeros(DType.INT32, Shape.of(8));
    assertSame(
        NaiveEngine.scatter(
            zeros, TensorFlow.tensorScatterNdUpdate(indices, updates, BadIndices.IGNORE)),
        Tensor.of(Shape.of(8), 0, 9, 0, 0, 0, 0, 0, 0));
    assertSame(
        NaiveEngine.gather(
            Tensor.of(Shape.of(2), "a", "b"), TensorFlow.gatherNd(indices, 0, BadIndices.IGNORE)),
        Tensor.of(Shape.of(3), "b", "", ""));
    assertThatThrownBy(
            () -> NaiveEngine.scatter(zeros, TensorFlow.tensorScatterNdAdd(indices, updates)))
        .hasMessage("indices[1] = [8]");
  }

  @Test
  void refusesNegativesByDefault() {
    GatherCall call = TensorFlow.gatherNd(Tensor.of(Shape.of(1, 1), -1), 0);
    assertThat(call.how().indices()).isEqualTo(IndexPolicy.STRICT.withRemedy(PolicyRemedy.IGNORE));
  }

  @Test
  void doesNotBroadcastUpdates() {
    ScatterCall call = TensorFlow.tensorScatterNdAdd(FOUR, Tensor.of(Shape.of(1), 1));
    assertThatThrownBy(() -> call.plan(DType.INT32, Shape.of(8)))
        .hasMessage("updates has shape [1]; indices [4, 1] into tensor [8] needs [4]");
  }

  @Test
  void parsesPolicyNames() {
    assertThat(TensorFlow.badIndicesPolicy("")).isEqualTo(BadIndices.ERROR);
    assertThat(TensorFlow.badIndicesPolicy("DEFAULT")).isEqualTo(BadIndices.ERROR);
    assertThat(TensorFlow.badIndicesPolicy("ERROR")).isEqualTo(BadIndices.ERROR);
    assertThat(TensorFlow.badIndicesPolicy("IGNORE")).isEqualTo(BadIndices.IGNORE);
    assertThatThrownBy(() -> TensorFlow.badIndicesPolicy("ignore"))
        .hasMessage(
            "bad_indices_policy 'ignore' is unknown; use one of '', DEFAULT, ERROR, IGNORE");
  }

  @Test
  void rejectsUnsupportedOptions() {
    assertThatThrownBy(() -> TensorFlow.gatherNd(FOUR, 0, BadIndices.CLIP))
        .hasMessage(
            "TensorFlow's gather_nd has no bad_indices_policy 'clip'; it has '', DEFAULT, ERROR,"
                + " IGNORE");
    assertThatThrownBy(
            () ->
                TensorFlow.tensorScatterNd(
                    TensorFlow.reduction("mul"), FOUR, NINE_TO_TWELVE, BadIndices.ERROR))
        .hasMessage("reduction 'mul' is unknown; use one of update, add, sub, min, max");
    assertThat(TensorFlow.reduction("update")).isEqualTo(Reduction.NONE);
  }
}
