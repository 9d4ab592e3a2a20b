/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that buffers which are used again have nothing of the rows before. */
class RowBuffersTest {
  private final RowBuffers buffers = new RowBuffers();

  @Test
  void rowsOfAnySizesAreFollowedByNanAndHaveZerosAsGradients() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 500; i++) {
      int elements = random.nextInt(10) == 0 ? random.nextInt(2) : random.nextInt(90, 130);
      buffers.resize(elements);
      assertThat(buffers.used()).isEqualTo(elements);
      assertThat(buffers.rows()).hasSizeBetween(elements, Math.max(3, 2 * elements));
      for (int e = elements; e < buffers.rows().length; e++) {
        assertThat(buffers.rows()[e]).isNaN();
      }
      Arrays.fill(buffers.rows(), 0, elements, 5);
      if (random.nextBoolean()) {
        learn(elements);
      }
    }
  }

  /** As a step function that writes everywhere, and the shard that sends what it wrote. */
  private void learn(int elements) {
    float[] gradients = buffers.gradients();
    assertThat(gradients).isEqualTo(new float[buffers.rows().length]);
    Arrays.fill(gradients, 7);
    Arrays.fill(gradients, 0, elements, 0);
  }

  @Test
  void rowsOfSimilarSizesHaveTheSameArrays() {
    buffers.resize(1000);
    float[] rows = buffers.rows();
    float[] gradients = buffers.gradients();
    for (int elements : new int[] {1020, 980, 600, 1030}) {
      buffers.resize(elements);
      assertThat(buffers.rows()).isSameAs(rows);
      assertThat(buffers.gradients()).isSameAs(gradients);
    }
  }

  @Test
  void buffersForManyMoreRowsAreReleased() {
    buffers.resize(1000);
    buffers.resize(100);
    assertThat(buffers.rows()).hasSizeBetween(100, 110);
    buffers.release();
    assertThat(buffers.used()).isZero();
    assertThat(buffers.rows()).isEmpty();
    assertThat(buffers.gradients()).isEmpty();
  }
}
