/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests counts of more updates of a slice than an int holds, from counters set near the limit. */
class SliceCountsTest {
  private static final int BEFORE_LIMIT = Integer.MAX_VALUE - 1;

  /** The counts of two blocks of two slices of one element. */
  private final SliceCounts counts =
      new SliceCounts(
          SliceBlocks.owned(Storage.LONG, new Object[] {new long[2], new long[2]}, 2, 1));

  private final SliceAddresses firsts = new SliceAddresses();

  private void count(int updates, int block, int slice) {
    SliceAddresses chunk = new SliceAddresses();
    for (int i = 0; i < updates; i++) {
      chunk.block[i] = block;
      chunk.position[i] = slice;
    }
    chunk.count = updates;
    counts.count(chunk, firsts);
  }

  private List<String> visited() {
    List<String> visited = new ArrayList<>();
    counts.forEach((block, at, count) -> visited.add(block + ", " + at + ": " + count));
    return visited;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void countsBeyondAnInt(int updates) {
    counts.set(1, 0, BEFORE_LIMIT);
    count(updates, 1, 0);
    count(1, 0, 1);
    assertThat(visited()).containsExactly("0, 1: 1", "1, 0: " + ((long) BEFORE_LIMIT + updates));
  }

  @Test
  void carriesAddUp() {
    counts.set(0, 0, BEFORE_LIMIT);
    count(3, 0, 0);
    counts.set(0, 0, BEFORE_LIMIT);
    count(3, 0, 0);
    assertThat(visited()).containsExactly("0, 0: " + ((1L << 32) + 1));
  }

  @Test
  void onlyTheFirstUpdateIsTheFirst() {
    count(1, 0, 0);
    assertThat(firsts.count).isEqualTo(1);
    for (int before : new int[] {BEFORE_LIMIT, -1}) { // -1 is the counter before it wraps to 0
      counts.set(0, 0, before);
      count(5, 0, 0);
    }
    assertThat(firsts.count).isEqualTo(1);
  }

  @Test
  void repeatedSlicesAreFoundBeyondAnInt() {
    counts.set(1, 1, Integer.MAX_VALUE);
    count(1, 1, 1);
    assertThat(counts.firstRepeated()).isEqualTo(3);
    count(1, 1, 1);
    assertThat(counts.firstRepeated()).isEqualTo(3);
  }

  /**
   * Returns the mean of a slice with 2^31 updates.
   *
   * @param update the first update, and a zero for all others
   */
  private static Object meanOf(DType dtype, Scatter how, Object[] arrays, Object update) {
    SliceBlocks blocks = SliceBlocks.owned(dtype.storage(), arrays, 1, 1);
    SliceFold fold = new SliceFold(KernelProviders.automatic(), dtype, how, blocks);
    fold.apply(new long[] {0}, null, 0, 0, 1, update);
    fold.counts().set(0, 0, BEFORE_LIMIT);
    fold.apply(new long[] {0, 0}, new int[] {1, 1}, 0, 0, 2, update);
    fold.finish();
    return arrays[0];
  }

  @Test
  void meansDivideByMoreThanAnInt() {
    Scatter mean = Scatter.mean();
    double[] update = {0x1p32, 0};
    assertThat(meanOf(DType.FLOAT64, mean, new double[1][1], update))
        .isEqualTo(new double[] {0x1p32 / (0x1p31 + 1)});
    long[] whole = {1L << 40, 0};
    Scatter others = mean.withSelf(IncludeSelf.EXCLUDED);
    assertThat(meanOf(DType.INT64, others, new long[][] {{7}}, whole))
        .isEqualTo(new long[] {1L << 9});
  }

  @Test
  void meansOfHalvesAreWritten() {
    Scatter mean = Scatter.mean().withSelf(IncludeSelf.EXCLUDED);
    short big = HalfFloats.toBfloat16(0x1p40f);
    short[] update = {big, 0};
    assertThat(meanOf(DType.BFLOAT16, mean, new short[1][1], update))
        .isEqualTo(new short[] {HalfFloats.toBfloat16(0x1p9f)});
  }
}
