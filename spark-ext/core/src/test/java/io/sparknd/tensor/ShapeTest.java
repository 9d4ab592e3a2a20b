/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests shapes and their arithmetic. */
class ShapeTest {
  @Test
  void scalarHasOneElementAndNoDimensions() {
    assertThat(Shape.of().rank()).isZero();
    assertThat(Shape.of().elements()).isOne();
    assertThat(Shape.of()).hasToString("[]");
    assertThat(Shape.of().coordinates(0)).isEmpty();
  }

  @Test
  void textIsParsedAsPythonWritesIt() {
    for (String text : List.of("8,64", "[8, 64]", "(8, 64)", " ( 8 ,64, ) ")) {
      assertThat(Shape.parse(text)).as(text).isEqualTo(Shape.of(8, 64));
    }
    assertThat(Shape.parse("(8,)")).isEqualTo(Shape.of(8));
    for (String text : List.of("[]", "()", "", " ")) {
      assertThat(Shape.parse(text)).as(text).isEqualTo(Shape.of());
    }
    for (String text : List.of("[8,64)", "(8,64", "8]", "(,)", ",", "8,,64", "(8,,)", "8 64")) {
      assertThatThrownBy(() -> Shape.parse(text)).as(text).isInstanceOf(SparkNdException.class);
    }
  }

  @Test
  void elementsMayPassTwoToThe31() {
    assertThat(Shape.of(1L << 31, 1L << 31).elements()).isEqualTo(1L << 62);
    assertThat(Shape.of(Long.MAX_VALUE).elements()).isEqualTo(Long.MAX_VALUE);
    assertThat(Shape.of(7, 7, 73, 127, 337, 92737, 649657).elements()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void moreThanTwoToThe63ElementsAreRefused() {
    assertRefused("more than 2^63 - 1 elements", 1L << 31, 1L << 32);
    assertRefused("[4294967296, 4294967296]", 1L << 32, 1L << 32);
    assertRefused("more than 2^63 - 1 elements", 3, Long.MAX_VALUE);
    assertRefused("more than 2^63 - 1 elements", Long.MAX_VALUE, Long.MAX_VALUE, 2);
  }

  @Test
  void negativeDimensionIsRefusedEvenNextToZero() {
    assertRefused("shape [0, -1] has a negative dimension", 0, -1);
    assertRefused("negative dimension", Long.MIN_VALUE);
  }

  private static void assertRefused(String message, long... dims) {
    assertThatThrownBy(() -> Shape.of(dims))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message)
        .extracting(e -> ((SparkNdException) e).kind())
        .isEqualTo(SparkNdException.Kind.SHAPE);
  }

  @Test
  void zeroDimensionMakesItEmptyWhateverTheOthers() {
    assertThat(Shape.of(Long.MAX_VALUE, 0, Long.MAX_VALUE).elements()).isZero();
    assertThat(Shape.of(Long.MAX_VALUE, Long.MAX_VALUE, 0).elements()).isZero();
  }

  @Test
  void partsConcatenateToTheWhole() {
    Shape shape = Shape.of(2, 3, 4);
    assertThat(shape.first(0)).isEqualTo(Shape.of());
    assertThat(shape.first(2)).isEqualTo(Shape.of(2, 3));
    assertThat(shape.from(1)).isEqualTo(Shape.of(3, 4));
    assertThat(shape.from(3)).isEqualTo(Shape.of());
    for (int outside : new int[] {-1, 4}) {
      assertThatThrownBy(() -> shape.first(outside)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> shape.from(outside)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(shape.first(1).concat(shape.from(1))).isEqualTo(shape).hasSameHashCodeAs(shape);
    assertThat(shape.first(1).concat(shape.from(1))).isNotEqualTo(Shape.of(2, 4, 3));
  }

  @Test
  void coordinatesCountTheLastDimensionFastest() {
    Shape shape = Shape.of(2, 3, 4);
    assertThat(shape.coordinates(0)).containsExactly(0, 0, 0);
    assertThat(shape.coordinates(1)).containsExactly(0, 0, 1);
    assertThat(shape.coordinates(23)).containsExactly(1, 2, 3);
    assertThat(Shape.of(1L << 40, 1L << 20).coordinates((1L << 60) - 1))
        .containsExactly((1L << 40) - 1, (1L << 20) - 1);
  }

  @Test
  void dimensionsCannotBeChangedFromOutside() {
    long[] dims = {2, 3};
    Shape shape = Shape.of(dims);
    dims[0] = 9;
    shape.dims()[1] = 9;
    assertThat(shape).isEqualTo(Shape.of(2, 3)).hasToString("[2, 3]");
  }
}
