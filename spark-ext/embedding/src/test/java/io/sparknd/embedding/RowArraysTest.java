/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that arrays which are used again have nothing of the rows before. */
class RowArraysTest {
  private final RowArrays arrays = new RowArrays();

  @Test
  void rowsOfAnySizesAreFollowedByNanAndHaveZerosAsGradients() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 500; i++) {
      int elements = random.nextInt(10) == 0 ? random.nextInt(2) : random.nextInt(90, 130);
      int length = arrays.lengthFor(elements);
      arrays.resize(elements);
      assertThat(arrays.rows()).hasSize(length).hasSizeGreaterThanOrEqualTo(elements);
      for (int e = elements; e < length; e++) {
        assertThat(arrays.rows()[e]).isNaN();
      }
      Arrays.fill(arrays.rows(), 0, elements, 5);
      if (random.nextBoolean()) {
        learn(elements);
      }
    }
  }

  /** As a step function that writes everywhere, and the shard that sends what it wrote. */
  private void learn(int elements) {
    float[] gradients = arrays.gradients();
    assertThat(gradients).isEqualTo(new float[arrays.length()]);
    Arrays.fill(gradients, 7);
    Arrays.fill(gradients, 0, elements, 0);
  }

  @Test
  void rowsOfSimilarSizesHaveTheSameArrays() {
    arrays.resize(1000);
    float[] rows = arrays.rows();
    float[] gradients = arrays.gradients();
    for (int elements : new int[] {1020, 980, 400, 1030}) {
      arrays.resize(elements);
      assertThat(arrays.rows()).isSameAs(rows);
      assertThat(arrays.gradients()).isSameAs(gradients);
    }
  }

  @Test
  void arraysForManyMoreRowsAreReleased() {
    arrays.resize(1000);
    arrays.resize(100);
    assertThat(arrays.length()).isBetween(100, 110);
    arrays.release();
    assertThat(arrays.length()).isZero();
    assertThat(arrays.gradients()).isEmpty();
  }
}
