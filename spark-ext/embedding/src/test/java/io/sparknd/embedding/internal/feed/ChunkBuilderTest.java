/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;

/** Tests the arrays of chunks at their limits. */
class ChunkBuilderTest {
  @Test
  void arraysGrowUpToTheLimit() {
    assertThat(ChunkBuilder.grown(1)).isEqualTo(16);
    assertThat(ChunkBuilder.grown(1000)).isEqualTo(1500);
    assertThat(ChunkBuilder.grown(Integer.MAX_VALUE - 8)).isEqualTo(Integer.MAX_VALUE - 8);
    assertThatThrownBy(() -> ChunkBuilder.grown(Integer.MAX_VALUE - 7L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("use more shards");
  }
}
