/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PayloadBuffersTest {
  private final PayloadBuffers buffers = new PayloadBuffers();

  @Test
  void arraysThatAreLongEnoughAreReused() {
    float[] first = buffers.take(10);
    float[] second = buffers.take(5);
    assertThat(second).isNotSameAs(first);
    buffers.reuse();
    assertThat(buffers.take(7)).isSameAs(first);
    assertThat(buffers.take(6)).hasSize(6);
  }

  @Test
  void arraysThatTheStepBeforeDidNotUseAreReleased() {
    float[] first = buffers.take(10);
    float[] second = buffers.take(10);
    buffers.reuse();
    buffers.take(1);
    buffers.reuse();
    assertThat(buffers.take(1)).isSameAs(first);
    assertThat(buffers.take(1)).hasSize(1).isNotSameAs(second);
  }
}
