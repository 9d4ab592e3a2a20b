/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tests the broadcast of shapes and values. */
class ShapeBroadcastTest {

  @Test
  void repeatsMissingAndSingleDimensions() {
    assertThat(ShapeBroadcast.to(Shape.of(2, 3), Tensor.of(Shape.of(3), 1, 2, 3)))
        .isEqualTo(Tensor.of(Shape.of(2, 3), 1, 2, 3, 1, 2, 3));
    assertThat(ShapeBroadcast.to(Shape.of(2, 3), Tensor.of(Shape.of(2, 1), 1, 2)))
        .isEqualTo(Tensor.of(Shape.of(2, 3), 1, 1, 1, 2, 2, 2));
    assertThat(ShapeBroadcast.to(Shape.of(7), Tensor.of(Shape.of(), "a")))
        .isEqualTo(Tensor.fill(DType.STRING, Shape.of(7), "a"));
    assertThat(ShapeBroadcast.to(Shape.of(2, 3, 2), Tensor.of(Shape.of(2, 1, 2), 1, 2, 3, 4)))
        .isEqualTo(Tensor.of(Shape.of(2, 3, 2), 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4));
  }

  @Test
  void keepsBothPartsOfComplex() {
    Tensor row = Tensor.wrap(DType.COMPLEX64, Shape.of(1, 2), new float[] {1, 2, 3, 4});
    assertThat(ShapeBroadcast.to(Shape.of(2, 2), row).array())
        .isEqualTo(new float[] {1, 2, 3, 4, 1, 2, 3, 4});
    assertThat(ShapeBroadcast.to(Shape.of(2, 2), row.reshape(Shape.of(2, 1))).array())
        .isEqualTo(new float[] {1, 2, 1, 2, 3, 4, 3, 4});
  }

  @Test
  void broadcastsToEmptyShapes() {
    assertThat(ShapeBroadcast.to(Shape.of(0, 3), Tensor.of(Shape.of(3), 1, 2, 3)))
        .isEqualTo(Tensor.of(Shape.of(0, 3), new int[0]));
    assertThat(ShapeBroadcast.to(Shape.of(2, 0), Tensor.of(Shape.of(1), 1)))
        .isEqualTo(Tensor.of(Shape.of(2, 0), new int[0]));
  }

  @Test
  void returnsTheSameTensorIfTheShapeMatches() {
    Tensor values = Tensor.of(Shape.of(2), 1, 2);
    assertThat(ShapeBroadcast.to(Shape.of(2), values)).isSameAs(values);
  }

  @Test
  void rejectsShapesThatDoNotBroadcast() {
    assertThatThrownBy(() -> ShapeBroadcast.to(Shape.of(2, 3), Tensor.of(Shape.of(2), 1, 2)))
        .hasMessageStartingWith("shape [2] does not broadcast to [2, 3]");
    assertThatThrownBy(() -> ShapeBroadcast.to(Shape.of(1, 3), Tensor.of(Shape.of(2, 1), 1, 2)))
        .hasMessageStartingWith("shape [2, 1] does not broadcast to [1, 3]");
    assertThatThrownBy(() -> ShapeBroadcast.to(Shape.of(1), Tensor.of(Shape.of(0), new int[0])))
        .hasMessageStartingWith("shape [0] does not broadcast to [1]");
  }

  @Test
  void stacksIndexArraysToTuples() {
    Tensor rows = Tensor.of(Shape.of(2, 1), 0, 1);
    Tensor columns = Tensor.of(Shape.of(3), 5L, 6, 7);
    assertThat(AdvancedIndex.stack(rows, columns))
        .isEqualTo(Tensor.of(Shape.of(2, 3, 2), 0L, 5, 0, 6, 0, 7, 1, 5, 1, 6, 1, 7));
    assertThat(AdvancedIndex.stack(Tensor.of(Shape.of(), 4L)))
        .isEqualTo(Tensor.of(Shape.of(1), 4L));
  }

  @Test
  void rejectsIndexArraysThatDoNotBroadcast() {
    Tensor two = Tensor.of(Shape.of(2), 0, 1);
    assertThatThrownBy(() -> AdvancedIndex.stack(two, Tensor.of(Shape.of(3), 0, 1, 2)))
        .hasMessageStartingWith("shape [2] does not broadcast to [3]");
    assertThatThrownBy(() -> AdvancedIndex.stack(two, Tensor.of(Shape.of(2), 0f, 1)))
        .hasMessage("indices is float32; indices must be integers, such as int64");
    assertThatThrownBy(AdvancedIndex::stack)
        .hasMessage("no index components given; index tuples need at least one");
  }

  @Test
  void takesTheLeadingPartOfSrc() {
    Tensor cube = Tensor.of(Shape.of(2, 2, 3), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(LeadingSlices.of(cube, Shape.of(2, 1, 2)))
        .isEqualTo(Tensor.of(Shape.of(2, 1, 2), 0, 1, 6, 7));
    assertThat(LeadingSlices.of(cube, Shape.of(2, 0, 2)).elements()).isZero();
    assertThat(LeadingSlices.of(cube, cube.shape())).isSameAs(cube);
    float[] parts = {1, 2, 3, 4, 5, 6, 7, 8};
    Tensor complex = Tensor.wrap(DType.COMPLEX64, Shape.of(2, 2), parts);
    assertThat(LeadingSlices.of(complex, Shape.of(2, 1)).array())
        .isEqualTo(new float[] {1, 2, 5, 6});
  }
}
