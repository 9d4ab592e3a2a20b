/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.UpdateSketch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that unions of theta sketches are as exact as their sketches. */
class ThetaUnionReductionTest {
  private static final ThetaUnionReduction UNION = new ThetaUnionReduction();

  private static byte[] sketch(int logEntries, long from, long to) {
    UpdateSketch sketch = UpdateSketch.builder().setLogNominalEntries(logEntries).build();
    for (long value = from; value < to; value++) {
      sketch.update(value);
    }
    return sketch.rebuild().compact().toByteArrayCompressed();
  }

  private static byte[] union(byte @Nullable [] stored, byte[] update) {
    return (byte[]) UNION.fold(new Object[] {stored}, update)[0];
  }

  private static CompactSketch read(byte[] sketch) {
    return CompactSketch.wrap(Memory.wrap(sketch));
  }

  @Test
  void entriesOfLargeSketchesAreKept() {
    byte[] stored = union(null, sketch(16, 0, 50_000));
    assertThat(read(stored).getRetainedEntries(true)).isEqualTo(50_000);
    assertThat(read(stored).getEstimate()).isEqualTo(50_000);
    byte[] more = union(stored, sketch(16, 0, 1_000_000));
    assertThat(read(more).getRetainedEntries(true)).isEqualTo(1 << 16);
    assertThat(read(more).getEstimate()).isCloseTo(1_000_000, within(10_000.0));
    assertThat(read(union(more, sketch(12, 0, 10))).getRetainedEntries(true)).isEqualTo(1 << 16);
  }

  @Test
  void sketchesOfTheDefaultSizeKeepIt() {
    byte[] stored = union(null, sketch(12, 0, 4_000));
    assertThat(read(union(stored, sketch(12, 4_000, 8_000))).getRetainedEntries(true))
        .isEqualTo(1 << 12);
    byte[] estimate = union(stored, sketch(12, 0, 100_000));
    assertThat(read(estimate).getRetainedEntries(true)).isEqualTo(1 << 12);
  }
}
