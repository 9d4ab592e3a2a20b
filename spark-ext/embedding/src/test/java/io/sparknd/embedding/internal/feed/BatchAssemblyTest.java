/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the arrays of batches at their limits. */
class BatchAssemblyTest {
  private static final int ROWS = 1 << 12;

  /** A product of 2^32 is 0 as an int, and 2^32 + 2^12 is 4096. */
  @ParameterizedTest
  @CsvSource({"1048576, 0", "1048577, 0", "0, 1048576"})
  void batchesOfTooManyValuesAreNamed(int dense, int categorical) {
    FeatureShape shape = new FeatureShape(0, dense, categorical, 0, List.of(), Map.of());
    FeatureChunk chunk =
        new FeatureChunk(
            ROWS,
            0,
            new float[0],
            new float[0],
            PackedIds.of(new long[0], 0),
            new PackedIds[0],
            new int[0][]);
    EpochOrder.Picks picks = new EpochOrder.Picks(new int[ROWS], new int[ROWS]);
    assertThatThrownBy(() -> BatchAssembly.batch(shape, picks, i -> chunk))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("a mini-batch of 4096 rows has 42949");
  }
}
